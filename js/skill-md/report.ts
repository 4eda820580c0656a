import type { Diagnostic } from "../types.js";
import { MAX_DIAGNOSTICS } from "./limits.js";

/** Collects what was odd about one file; every entry carries the file and a line. */
export class Report {
  /** In the order of discovery. */
  readonly diagnostics: Diagnostic[] = [];

  constructor(private readonly file: string | undefined) {}

  /** Something the author must mend; a skill may still have been read. */
  error(code: string, line: number, message: string, path?: string): void {
    this.add("error", code, line, message, path);
  }

  /** Something that was repaired, ignored or guessed. */
  warning(code: string, line: number, message: string, path?: string): void {
    this.add("warning", code, line, message, path);
  }

  /** Worth knowing; nothing was lost. */
  info(code: string, line: number, message: string, path?: string): void {
    this.add("info", code, line, message, path);
  }

  private add(severity: Diagnostic["severity"], code: string, line: number, message: string, path?: string): void {
    if (this.diagnostics.length >= MAX_DIAGNOSTICS && severity !== "error") return;
    this.diagnostics.push({
      code,
      severity,
      message,
      line,
      ...(path === undefined ? {} : { path }),
      ...(this.file === undefined ? {} : { file: this.file }),
    });
  }
}
