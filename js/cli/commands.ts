import { build } from "./build.js";
import { check } from "./check.js";
import type { Command } from "./command.js";
import { evaluate } from "./evaluate.js";
import { pick } from "./pick.js";
import { stats } from "./stats.js";

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [build, check, pick, stats, evaluate];
