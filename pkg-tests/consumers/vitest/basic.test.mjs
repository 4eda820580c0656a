import * as skillpick from "skillpick";
import { check } from "../check.mjs";
import data from "../data.mjs";

test("the vectors", () => {
  const { passed, failures } = check(skillpick, data);
  expect(failures).toEqual([]);
  expect(passed).toBeGreaterThan(100);
}, 120_000);
