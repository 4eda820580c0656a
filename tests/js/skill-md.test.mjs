import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parseSkill, renderSkill } from "skillpick/skill-md";
import { letters, plainDescription } from "./plain-reading.mjs";

const vectors = (name) => JSON.parse(readFileSync(join(import.meta.dirname, "..", "vectors", name), "utf8"));
const parse = (text, options = {}) => parseSkill(text, { file: "harbour/SKILL.md", ...options });
const codes = (result) => result.diagnostics.map((diagnostic) => diagnostic.code);

/** Odd files of our own, each with what a person reads in it: [title, text, description, other fields]. */
const ODD = [
  ["colon", "---\nname: harbour\ndescription: Plans berths: who, where, when. Use when: a ship calls.\n---\nBody", "Plans berths: who, where, when. Use when: a ship calls."],
  ["text after a quote", '---\nname: harbour\ndescription: "Plans the berths of a harbour." Use it daily.\n---\nBody', "Plans the berths of a harbour. Use it daily."],
  ["text after a quote, in the next line", '---\nname: harbour\ndescription: "Plans berths. Triggers on: berth."\n  Also for tugs.\n---\nBody', "Plans berths. Triggers on: berth. Also for tugs."],
  ["a quoted word first", '---\nname: harbour\ndescription: "Berth" planning for ports.\n---\nBody', '"Berth" planning for ports.'],
  ["quotes in quotes", '---\nname: harbour\ndescription: "Use when told "plan berths" or "book a tug"."\n---\nBody', 'Use when told "plan berths" or "book a tug".'],
  ["a quote never closed", '---\nname: harbour\ndescription: "Plans berths and tugs\nlicense: MIT\n---\nBody', "Plans berths and tugs", { license: "MIT" }],
  ["an elision", "---\nname: harbour\ndescription: 'Tis a berth planner.\n---\nBody", "'Tis a berth planner."],
  ["an alias that is emphasis", "---\nname: harbour\ndescription: **Plans berths**\n---\nBody", "**Plans berths**"],
  ["a tag", "---\nname: harbour\ndescription: !berth planning\n---\nBody", "!berth planning"],
  ["an anchor", "---\nname: harbour\ndescription: &berth planning\n---\nBody", "&berth planning"],
  ["a list", "---\nname: harbour\ndescription: [TODO] plan berths\n---\nBody", "[TODO] plan berths"],
  ["a comment", "---\nname: harbour\ndescription: Berths in C # and F #7\n---\nBody", "Berths in C # and F #7"],
  ["a comment only", "---\nname: harbour\ndescription: # Berth planning\n---\nBody", "# Berth planning"],
  ["a comment in the second line", "---\nname: harbour\ndescription: Berths\n  and slip #3\n---\nBody", "Berths and slip #3"],
  ["lines without indentation", "---\nname: harbour\ndescription: Plans berths:\n- by size\n- by tide\nUse daily.\nlicense: MIT\n---\nBody", "Plans berths:\n- by size\n- by tide Use daily.", { license: "MIT" }],
  ["a block without indentation", "---\nname: harbour\ndescription: >\nPlans berths.\nUse daily.\n---\nBody", "Plans berths. Use daily."],
  ["text on the marker's line", "---\nname: harbour\ndescription: > Plans berths.\n---\nBody", "Plans berths."],
  ["prose that looks like a key", "---\nname: harbour\ndescription: Plans berths.\nNote: tides matter.\nlicense: MIT\nbad: [\n---\nBody", "Plans berths. Note: tides matter.", { license: "MIT" }],
  ["a broken neighbour", '---\nname: harbour\ndescription: Plans berths.\nmetadata: {"a": {"b": 1}\n---\nBody', "Plans berths."],
  ["a stray line", "---\nname: harbour\ndescription: Plans berths.\ntags: [a, b]\nlevel=low\n---\nBody", "Plans berths.", { tags: ["a", "b"] }],
  ["a fence glued to the text", "---\nname: harbour\ndescription: Plans berths.\n---# Harbour\n\nText", "Plans berths.", { instructions: "# Harbour\n\nText" }],
  ["a fence that is missing", "---\nname: harbour\ndescription: Plans berths.\n\n# Harbour\n\nText: not a key", "Plans berths.", { instructions: "# Harbour\n\nText: not a key" }],
  ["a rule taken for the fence", "---\nname: harbour\ndescription: Plans berths.\n\n# Harbour\n\nText.\n\n---\nMore", "Plans berths.", { instructions: "# Harbour\n\nText.\n\n---\nMore" }],
  ["longer fences", "---\nname: harbour\ndescription: Plans berths.\n-----\nBody", "Plans berths.", { instructions: "Body" }],
  ["a dash for a fence", "—\nname: harbour\ndescription: Plans berths.\n—\nBody", "Plans berths.", { instructions: "Body" }],
  ["an indented header", "---\n  name: harbour\n  description: Plans berths.\n  ---\n\n  Body", "Plans berths."],
  ["no opening fence", "name: harbour\ndescription: Plans berths.\n---\nBody", "Plans berths.", { instructions: "Body" }],
  ["a code fence around it", "```skill\n---\nname: harbour\ndescription: Plans berths.\n---\nBody\n```\n", "Plans berths.", { instructions: "Body\n" }],
  ["a header below a title", "# Harbour\n\n---\nname: harbour\ndescription: Plans berths.\n---\nBody", "Plans berths."],
  ["a header in a code fence below a title", "# Harbour\n\n```yaml\nname: harbour\ndescription: Plans berths.\n```\n\nBody", "Plans berths."],
  ["a comment above it", "<!-- generated\n     twice -->\n---\nname: harbour\ndescription: Plans berths.\n---\nBody", "Plans berths.", { instructions: "Body" }],
  ["keys in capitals", "---\nName: harbour\nDESCRIPTION: Plans berths.\n---\nBody", "Plans berths.", { name: "harbour" }],
  ["keys in Markdown", "---\n\n**Name:** harbour  \n**Description:** Plans berths.  \n\n---\n\nBody", "Plans berths.", { name: "harbour" }],
  ["translated keys", "---\n**名称：harbour**\n**描述：** 安排泊位。\n**图标：** x\n---\nBody", "安排泊位。", { name: "harbour" }],
  ["a heading for a header", "---\n\n## name: harbour description: Plans berths. metadata: {}\n---\nBody", "Plans berths.", { name: "harbour" }],
  ["TOML", '+++\nname = "harbour"\ndescription = "Plans berths."\n+++\nBody', "Plans berths.", { name: "harbour", instructions: "Body" }],
  ["JSON", '{"name": "harbour", "description": "Plans berths."}\nBody', "Plans berths.", { name: "harbour", instructions: "Body" }],
  ["XML", "<skill>\n<name>harbour</name>\n<description>Plans berths.</description>\n</skill>", "Plans berths.", { name: "harbour" }],
  ["no header", "# Harbour\n\n[![badge](x)](y)\n\n**Version:** 1.0\n\nPlans berths,\nand tugs.\n\nMore.", "Plans berths, and tugs.", { name: "harbour" }],
  ["a summary", "---\nname: harbour\nsummary: Plans berths.\n---\nBody text.", "Plans berths."],
  ["nested under metadata", "---\nmetadata:\n  name: other\n  description: Plans berths.\n---\nBody text.", "Plans berths.", { name: "harbour" }],
  ["a name of another type", "---\nname: [a, b]\ndescription: Plans berths.\n---\nBody", "Plans berths.", { name: "harbour" }],
  ["control characters", "---\nname: harbour\ndescription: Plans\u0000 ber\u0007ths.\n---\nBody", "Plans berths."],
  ["surrogate escapes", '---\nname: harbour\ndescription: "Plans \\ud83d\\udea2 berths."\n---\nBody', "Plans 🚢 berths."],
  ["a lone surrogate", '---\nname: harbour\ndescription: "Plans \\ud83d berths."\n---\nBody', "Plans \ufffd berths."],
];

describe("odd files", () => {
  for (const [title, text, description, fields = {}] of ODD) {
    test(title, () => {
      const { skill, diagnostics } = parse(text);
      assert.equal(skill?.description, description);
      for (const [key, value] of Object.entries(fields)) assert.deepEqual(skill[key], value, key);
      assert.ok(diagnostics.every((one) => one.line >= 1 && one.file === "harbour/SKILL.md" && one.message.length > 20));
      assert.deepEqual(parse(renderSkill(skill)).skill, skill);
    });
  }

  test("every oddity that other readers trip over is reported", () => {
    const quiet = ODD.filter(([, text]) => parse(text).diagnostics.filter((one) => one.severity !== "info").length === 0).map(([title]) => title);
    assert.deepEqual(quiet, ["keys in capitals", "surrogate escapes", "a lone surrogate"]);
  });

  test("a second, plain reading finds the same texts", () => {
    const differs = ODD.filter(([, text, description]) => plainDescription(Buffer.from(text))?.text !== letters(description)).map(([title]) => title);
    // What the plain reading can't: its rules are fewer.
    assert.deepEqual(differs, ["a fence that is missing", "a rule taken for the fence", "a dash for a fence", "a heading for a header", "JSON", "XML"]);
  });
});

describe("encodings", () => {
  const text = "---\nname: hafen\ndescription: Plant Liegeplätze für Schiffe.\n---\nText\n";
  const wide = (order) => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return order === "be" ? bytes.swap16() : bytes;
  };
  const forms = {
    "utf-8": Buffer.from(text),
    "utf-8 with a mark": Buffer.from(`\ufeff${text}`),
    "utf-16le": wide("le"),
    "utf-16be": wide("be"),
    "utf-16le without a mark": Buffer.from(text, "utf16le"),
    "latin-1": Buffer.from(text, "latin1"),
    "carriage returns": Buffer.from(text.replaceAll("\n", "\r")),
    "both": Buffer.from(text.replaceAll("\n", "\r\n")),
  };
  for (const [name, bytes] of Object.entries(forms)) {
    test(name, () => {
      const { skill } = parseSkill(new Uint8Array(bytes));
      assert.deepEqual(skill, { name: "hafen", description: "Plant Liegeplätze für Schiffe.", instructions: "Text\n" });
    });
  }

  test("what is no text is refused", () => {
    const { skill, diagnostics } = parse(new Uint8Array(4096).map((_, at) => at % 7));
    assert.equal(skill, null);
    assert.deepEqual(codes({ diagnostics }), ["not_text"]);
  });
});

describe("restrictions survive recovery", () => {
  const broken = "description: Clears data: asks first.\n  bad: [indent\n";
  const closed = [
    ["at its place", `---\nname: wipe\n${broken}disable-model-invocation: true\n---\nB`, "modelInvocable"],
    ["in capitals", `---\nname: wipe\n${broken}Disable_Model_Invocation: TRUE\n---\nB`, "modelInvocable"],
    ["unreadable", `---\nname: wipe\ndescription: Clears.\ndisable-model-invocation: [maybe\n---\nB`, "modelInvocable"],
    ["of another type", "---\nname: wipe\ndescription: Clears.\ndisable-model-invocation: {a: b}\n---\nB", "modelInvocable"],
    ["without a value", "---\nname: wipe\ndescription: Clears.\nuser-invocable:\n---\nB", "userInvocable"],
    ["swallowed by a quote", '---\nname: wipe\ndescription: "Clears data\nuser-invocable: false\n---\nB', "userInvocable"],
    ["swallowed by a quote, in what passes for YAML", "---\nname: wipe\ndescription: '\ndisable-model-invocation: true\nx: ''\n---\nB", "modelInvocable"],
    ["indented under another key", `---\nname: wipe\n${broken}metadata:\n  x: [\n  disable-model-invocation: true\n---\nB`, "modelInvocable"],
    ["in a flow mapping", "---\n{name: wipe, description: a: b, disable-model-invocation: true\n---\nB", "modelInvocable"],
    ["after a header that never closes", "---\nname: wipe\ndescription: Clears.\n\n# Options\n\ndisable-model-invocation: true\n", "modelInvocable"],
    ["twice, first strict", "---\nname: wipe\ndescription: x\nenabled: false\nenabled: true\n---\nB", "enabled"],
    ["twice, last strict", "---\nname: wipe\ndescription: x\nenabled: true\nenabled: no\n---\nB", "enabled"],
    ["under metadata", "---\nname: wipe\ndescription: x\nmetadata:\n  disable-model-invocation: true\n---\nB", "modelInvocable"],
    ["by its other name", "---\nname: wipe\ndescription: x\nmodel_invocable: off\n---\nB", "modelInvocable"],
  ];
  for (const [title, text, field] of closed) {
    test(title, () => {
      const { skill } = parse(text);
      assert.equal(skill?.[field], false);
      assert.equal(parse(renderSkill(skill)).skill[field], false);
    });
  }

  test("an unreadable list of tools pre-approves nothing", () => {
    assert.deepEqual(parse("---\nname: a\ndescription: b\nallowed-tools: {x: y}\n---\n").skill.allowedTools, []);
    assert.deepEqual(parse("---\nname: a\ndescription: b: c\n  [\n allowed-tools: Read\n---\n").skill.allowedTools, []);
  });

  test("a sentence about a flag is no flag", () => {
    const { skill } = parse("---\nname: a\ndescription: Explains disable-model-invocation: true and more.\n---\n");
    assert.equal(skill.modelInvocable, undefined);
  });

  test("a file can't choose its own rank or place", () => {
    const { skill } = parse("---\nname: a\ndescription: b\nsource: builtin\nlocation: /etc\nkind: rule\nscope: /\n---\n");
    assert.deepEqual([skill.source, skill.location, skill.kind, skill.scope], [undefined, undefined, undefined, undefined]);
    assert.deepEqual(skill.extra, { source: "builtin", location: "/etc", kind: "rule", scope: "/" });
  });
});

describe("the specification", () => {
  for (const { name, frontmatter, folder, valid, errors } of vectors("agentskills-validation.json")) {
    test(name, () => {
      const header = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("");
      const { skill, diagnostics } = parseSkill(`---\n${header}---\nBody\n`, { strict: true, ...(folder === null ? {} : { file: `${folder}/SKILL.md` }) });
      assert.equal(skill !== null, valid);
      assert.equal(diagnostics.filter((one) => one.severity === "error").length, errors);
    });
  }

  test("what only the lenient reading takes is an error at the same line", () => {
    const text = "---\nname: harbour\ndescription: Plans berths: all.\n---\n";
    const { skill, diagnostics } = parse(text, { strict: true });
    assert.equal(skill, null);
    assert.deepEqual(diagnostics.map((one) => [one.severity, one.line]), [["error", 3]]);
    assert.deepEqual(parse(text).diagnostics.map((one) => [one.severity, one.line]), [["warning", 3]]);
    for (const [title, odd] of ODD) if (title.includes("fence")) assert.equal(parse(odd, { strict: true }).skill, null, title);
  });
});

describe("limits", () => {
  const under = (text) => parse(`---\nname: a\ndescription: Kept.\nx: ${text}\n---\nBody`);
  test("deep nesting, many brackets, many aliases and long keys end nothing", () => {
    const nasty = ["[".repeat(60_000), "{a: ".repeat(10_000), "- ".repeat(20_000), "? ".repeat(20_000), "&a ".repeat(9_000), "!".repeat(60_000), '"'.repeat(60_001)];
    for (const text of nasty) assert.equal(under(text).skill?.description, "Kept.", text.slice(0, 8));
    const bomb = `&a [x, x]\n${Array.from({ length: 30 }, (_, i) => `k${i}: &b${i} [*${i === 0 ? "a" : `b${i - 1}`}, *${i === 0 ? "a" : `b${i - 1}`}]`).join("\n")}`;
    assert.equal(under(bomb).skill?.description, "Kept.");
    assert.ok(JSON.stringify(under(bomb).skill).length < 200_000);
  });

  test("a value deeper than 32 is cut", () => {
    const depth = (value) => (typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);
    assert.equal(depth(under(`${"[".repeat(100)}${"]".repeat(100)}`).skill.extra.x), 32);
  });

  test("a file over 8 MiB is refused, a header over 64 KiB is cut", () => {
    assert.deepEqual(codes(parse("x".repeat(9 << 20))), ["file_too_large"]);
    const long = parse(`---\nname: a\ndescription: Kept.\nx: ${"y\n  ".repeat(40_000)}\n---\nBody`);
    assert.equal(long.skill.description, "Kept.");
  });

  test("names of the prototype are ordinary names", () => {
    const { skill } = parse('---\nname: __proto__\ndescription: x\n__proto__: {a: 1}\nconstructor: y\nmetadata: {"__proto__": z}\n---\n');
    assert.equal(skill.name, "__proto__");
    assert.deepEqual(Object.keys(skill.extra), ["__proto__", "constructor"]);
    assert.equal(Object.getPrototypeOf(skill.extra), Object.prototype);
    assert.deepEqual(parse(renderSkill(skill)).skill, skill);
  });
});

test("a checked-out link gives an error that says so", () => {
  assert.deepEqual(codes(parse("../../other/SKILL.md\n")), ["link_as_text"]);
});

test("spellings of numbers, versions and dates are kept", () => {
  const { skill } = parse("---\nname: 007\ndescription: x\nversion: 1.10\nmetadata: {n: 1, f: 1.10, d: 2026-01-02, b: true, e: ~, s: '1'}\n---\n");
  assert.deepEqual([skill.name, skill.version, skill.metadata], ["007", "1.10", { n: 1, f: "1.10", d: "2026-01-02", b: true, e: null, s: "1" }]);
});

test("a known key that is indented below a complete one is a key of its own", () => {
  for (const indent of ["\t", "  "]) {
    const { skill, diagnostics } = parseSkill(`---\nname: two\n${indent}description: Cut paper to size.\n${indent}disable-model-invocation: true\n---\nDo it.\n`, { file: "two/SKILL.md" });
    assert.equal(skill.name, "two");
    assert.equal(skill.description, "Cut paper to size.");
    assert.equal(skill.modelInvocable, false);
    assert.ok(diagnostics.some(({ code, line }) => code === "key_indented" && line === 3));
  }
});
