// The reference of the npm package from its types, into docs/reference or another folder: node scripts/docs.mjs [FOLDER]
// Fails where an exported name or one of its members has no comment, and where a link in one leads nowhere.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Application, Logger, LogLevel } from "typedoc";

const root = join(import.meta.dirname, "..");
process.chdir(root);
const out = process.argv[2] ?? "docs/reference";
const complaints = [];

class Strict extends Logger {
  log(message, level) {
    // Members of an object type that is written inline are told of by what has that type.
    if (level >= LogLevel.Warn && !/\.__type\b/.test(message)) complaints.push(message);
  }
}

const application = await Application.bootstrapWithPlugins({ out });
application.logger = new Strict();
const project = await application.convert();
if (project) {
  application.validate(project);
  await application.generateOutputs(project);
}
if (!project || complaints.length > 0) {
  console.error(complaints.join("\n") || "the types could not be read");
  process.exit(1);
}
console.log(`${readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".md")).length} pages in ${out}`);
