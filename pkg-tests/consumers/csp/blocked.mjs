import { Catalog } from "skillpick";
import { report } from "../check.mjs";

let answer = "nothing was thrown";
try {
  Catalog.from([]);
} catch (error) {
  answer = `${error.code}: ${error.message}`;
}
const right = answer.startsWith("csp_blocked: ") && answer.includes("'wasm-unsafe-eval'");
await report({ passed: right ? 1 : 0, failures: right ? [] : [`under a strict policy: ${answer}`] });
