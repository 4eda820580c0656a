import type { Diagnostic } from "skillpick";
import { relative } from "node:path";
import { paint, wrap, type Terminal } from "./terminal.js";

const COLOURS = { error: "red", warning: "yellow", info: "blue" } as const;
const MARKS = { error: "✖", warning: "▲", info: "·" } as const;

/** Prints findings file by file, the worst first within each. */
export function printFindings(terminal: Terminal, diagnostics: readonly Diagnostic[], shown: readonly Diagnostic["severity"][]): void {
  const files = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (!shown.includes(one.severity)) continue;
    const file = one.file ?? one.skill ?? "";
    files.set(file, [...(files.get(file) ?? []), one]);
  }
  for (const [file, found] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    terminal.out(`\n${paint(terminal, "bold", shorter(file))}\n`);
    const rank = (one: Diagnostic) => ["error", "warning", "info"].indexOf(one.severity);
    for (const one of found.sort((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0))) {
      const place = one.line === undefined ? "" : `line ${one.line}: `;
      const mark = paint(terminal, COLOURS[one.severity], MARKS[one.severity]);
      terminal.out(`  ${mark} ${wrap(place + one.message, terminal.width - 4, "    ")} ${paint(terminal, "dim", one.code)}\n`);
    }
  }
}

function shorter(file: string): string {
  const short = relative(process.cwd(), file);
  return short !== "" && !short.startsWith("..") && short.length < file.length ? short : file;
}

/** `3 errors, 1 warning`. */
export function countFindings(terminal: Terminal, diagnostics: readonly Diagnostic[]): string {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = diagnostics.filter((one) => one.severity === severity).length;
    if (count === 0) return [];
    const word = severity === "info" ? (count === 1 ? "remark" : "remarks") : `${severity}${count === 1 ? "" : "s"}`;
    return [paint(terminal, COLOURS[severity], `${count} ${word}`)];
  });
  return parts.length === 0 ? paint(terminal, "green", "nothing to mend") : parts.join(", ");
}
