/** What both readers of skills, of SKILL.md and of packs, are made of: a file of its own in the package, so that it is there once. */
export { decode, withoutControls } from "./decode.js";
export { type Draft, fold as foldBlanks, readFields } from "./fields.js";
export { scanRestrictions } from "./flags.js";
export { readHeader, strictFault } from "./header.js";
export { STAND_INS, fold } from "./names.js";
export { readBody } from "./prose.js";
export { readCases, readExamples } from "./records.js";
export { Report } from "./report.js";
export { type Split, split } from "./split.js";
export { checkSpecification } from "./strict.js";
export { readYaml } from "./yaml.js";
