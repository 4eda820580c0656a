import type { Report } from "./report.js";
import type { Entry } from "./value.js";

const ALLOWED = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/** The rules of the Agent Skills specification; each broken one is one error. */
export function checkSpecification(entries: Entry[], folder: string | undefined, firstLine: number, report: Report): void {
  const foreign = entries.filter((entry) => !ALLOWED.includes(entry.key));
  if (foreign.length > 0) {
    const keys = foreign.map((entry) => `\`${entry.key}\``).join(", ");
    report.error("unknown_key", (foreign[0] as Entry).line, `${keys}: the specification allows only ${ALLOWED.join(", ")}. Put other keys under \`metadata\`.`);
  }
  checkName(entries.find((entry) => entry.key === "name"), folder, firstLine, report);
  checkDescription(entries.find((entry) => entry.key === "description"), firstLine, report);
  const compatibility = entries.find((entry) => entry.key === "compatibility");
  const length = compatibility?.value.kind === "text" ? [...compatibility.value.text].length : 0;
  if (compatibility !== undefined && (compatibility.value.kind !== "text" || length > 500)) {
    report.error("compatibility_invalid", compatibility.line, `\`compatibility\` has ${length} characters; it must be a text of at most 500.`, "compatibility");
  }
}

function checkName(entry: Entry | undefined, folder: string | undefined, firstLine: number, report: Report): void {
  if (entry === undefined) return report.error("name_missing", firstLine, "The header has no `name`.", "name");
  const fault = nameFault(entry.value.kind === "text" ? entry.value.text : "", folder);
  if (fault !== null) report.error(fault.code, entry.line, fault.message, "name");
}

/** What the specification objects to in a name; `null` if nothing. Without a folder, that comparison is left out. */
export function nameFault(raw: string, folder: string | undefined): { code: string; message: string } | null {
  const name = raw.trim().normalize("NFKC");
  const length = [...name].length;
  const invalid = (message: string) => ({ code: "name_invalid", message });
  if (length === 0) return invalid("The name is empty.");
  if (length > 64) return invalid(`The name has ${length} characters; the limit is 64.`);
  if (name !== name.toLowerCase()) return invalid(`The name \`${name}\` must be in lower case: \`${name.toLowerCase()}\`.`);
  const odd = /[^\p{L}\p{M}\p{N}-]/u.exec(name)?.[0];
  if (odd !== undefined) return invalid(`The name \`${name}\` has \`${odd}\` in it; only letters, digits and hyphens are allowed.`);
  if (name.startsWith("-") || name.endsWith("-") || name.includes("--")) {
    return invalid(`The name \`${name}\` must not start or end with a hyphen, nor have two in a row.`);
  }
  if (folder !== undefined && folder.normalize("NFKC") !== name) {
    return { code: "name_differs_from_folder", message: `The name \`${name}\` differs from its folder \`${folder}\`; the specification wants them equal.` };
  }
  return null;
}

function checkDescription(entry: Entry | undefined, firstLine: number, report: Report): void {
  if (entry === undefined) return report.error("description_missing", firstLine, "The header has no `description`.", "description");
  const text = entry.value.kind === "text" ? entry.value.text.trim() : "";
  const length = [...text].length;
  if (length === 0) report.error("description_missing", entry.line, "The description is empty.", "description");
  else if (length > 1024) report.error("description_too_long", entry.line, `The description has ${length} characters; the limit is 1024.`, "description");
}

