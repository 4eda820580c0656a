const skillpick = require("skillpick");

Promise.all([import("../check.mjs"), import("../data.mjs")]).then(([{ check, report }, { default: data }]) =>
  report(check(skillpick, data)),
);
