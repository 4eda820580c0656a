import * as skillpick from "skillpick";
import { check, report } from "../check.mjs";
import data from "../data.mjs";

await report(check(skillpick, data));
