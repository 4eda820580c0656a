const skillpick = require("skillpick");
const { check } = require("../check.cjs");
const data = require("../data.json");

test("the vectors", () => {
  const { passed, failures } = check(skillpick, data);
  expect(failures).toEqual([]);
  expect(passed).toBeGreaterThan(100);
});

test("bytes of another realm", () => {
  const bytes = Buffer.from('[{"name":"a"}]');
  expect(skillpick.Catalog.from(bytes).ids()).toEqual(["a"]);
  expect(skillpick.Catalog.from(new Uint8Array(bytes).buffer).ids()).toEqual(["a"]);
});
