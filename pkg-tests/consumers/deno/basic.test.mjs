import * as skillpick from "skillpick";
import { check } from "../check.mjs";
import data from "../data.mjs";

Deno.test("the vectors", () => {
  const { passed, failures } = check(skillpick, data);
  if (failures.length > 0 || passed < 100) throw new Error(failures.join("\n") || `${passed} passed`);
});
