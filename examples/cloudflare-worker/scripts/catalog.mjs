// Builds what the Worker reads: the snapshot of the catalog without bodies, and each body as a file of its own.
// node scripts/catalog.mjs [FOLDER of skills]
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadSkills } from "../../../dist/loader.js";
import { writeBodies } from "./bodies.mjs";

const here = join(import.meta.dirname, "..");
const folder = process.argv[2] ?? join(here, "..", "catalog");
const target = join(here, "public");
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "bodies"), { recursive: true });

const command = join(here, "..", "..", "dist", "cli.js");
execFileSync(process.execPath, [command, "build", folder, "--snapshot", "--no-bodies", "--source", "official", "-o", join(target, "catalog.snapshot")], { stdio: ["ignore", "inherit", "inherit"] });
const { skills } = await loadSkills(folder);
writeBodies(target, skills);
