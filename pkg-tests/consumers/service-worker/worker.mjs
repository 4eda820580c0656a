import * as skillpick from "skillpick";
import { check } from "../check.mjs";
import data from "../data.mjs";

addEventListener("message", ({ source }) => source.postMessage(check(skillpick, data)));
