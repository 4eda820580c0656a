import { writeFile } from "node:fs/promises";
import { Catalog } from "skillpick";
import { EXIT, READING, type Command } from "./command.js";
import { countFindings, printFindings } from "./findings.js";
import { outputFile, readFolders } from "./read.js";
import { paint, thousands } from "./terminal.js";

/** `skillpick build`: folders to a catalog, as JSON or as a snapshot. */
export const build: Command = {
  name: "build",
  summary: "Build a catalog from folders of skills",
  usage: "[folder…] [-o FILE]",
  options: {
    output: { type: "string", short: "o", value: "FILE", help: "Write here; standard output by default" },
    snapshot: { type: "boolean", help: "Write a snapshot: catalog and index, loaded without parsing" },
    "no-bodies": { type: "boolean", help: "Leave the bodies out; the host loads them on demand" },
    source: { type: "string", value: "NAME", help: "Where the skills come from: project, user, plugin:<id>, …" },
    ...READING,
  },
  async run(invocation) {
    const { values, terminal } = invocation;
    const output = outputFile(values["output"]);
    const bodies = values["no-bodies"] !== true;
    // A snapshot is indexed with the bodies also where they stay out.
    const snapshot = values["snapshot"] === true;
    const source = values["source"];
    const { skills, diagnostics } = await readFolders(invocation, { instructions: bodies || snapshot, ...(typeof source === "string" ? { source } : {}) });
    if (skills.length === 0) {
      if (values["json"] === true) terminal.out(`${JSON.stringify({ skills: 0, bytes: 0, output: null, diagnostics })}\n`);
      else printFindings({ ...terminal, out: terminal.err, colours: false }, diagnostics, ["error", "warning", "info"]);
      terminal.err("skillpick: no skills found\n");
      return EXIT.nothing;
    }
    const catalog = Catalog.from(skills);
    const bytes = snapshot ? catalog.toBytes({ instructions: bodies }) : new TextEncoder().encode(`${JSON.stringify({ skills })}\n`);
    const all = [...diagnostics, ...catalog.diagnostics];
    if (output === undefined) process.stdout.write(bytes);
    else await writeFile(output, bytes);
    if (values["json"] === true && output !== undefined) {
      terminal.out(`${JSON.stringify({ skills: skills.length, bytes: bytes.length, output, diagnostics: all })}\n`);
    } else {
      const log = { ...terminal, out: terminal.err, colours: terminal.colours && terminal.progress };
      printFindings(log, all, ["error", "warning"]);
      const target = output === undefined ? "" : ` → ${output}`;
      terminal.err(`${paint(log, "bold", `${thousands(skills.length)} skills`)}, ${thousands(Math.ceil(bytes.length / 1024))} KiB${target}; ${countFindings(log, all)}\n`);
    }
    return all.some((one) => one.severity === "error") ? EXIT.findings : EXIT.ok;
  },
};
