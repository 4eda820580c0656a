import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a body lies, also in R2; an id can hold any character, its hash none that a path would mind. As in src/catalog.ts. */
export const bodyPath = (id) => `bodies/${createHash("sha256").update(id).digest("hex")}`;

export function writeBodies(target, skills) {
  for (const { id, name, instructions } of skills) {
    if (instructions !== undefined) writeFileSync(join(target, bodyPath(id ?? name)), instructions);
  }
}
