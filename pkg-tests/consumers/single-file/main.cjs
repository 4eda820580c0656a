const skillpick = require("skillpick");
const { check, report } = require("../check.cjs");
const data = require("../data.json");

report(check(skillpick, data));
