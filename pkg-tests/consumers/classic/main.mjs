import * as skillpick from "skillpick";
import { check, report } from "../check.mjs";
import data from "../data.mjs";
import { parseXml } from "../parse-xml.mjs";

// A classic script can't wait at its top level.
report(check(skillpick, data, parseXml));
