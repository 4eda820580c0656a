// `skillpick pick`: what it prints is what the library answers, for people, for programs, and as a page.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "dist", "cli.js");
const scratch = mkdtempSync(join(tmpdir(), "skillpick-pick-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
const plain = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" };

function pick(args, { input, env = plain } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "pick", ...args], { encoding: "utf8", env, input });
  return { status, stdout, stderr };
}

function write(path, text) {
  mkdirSync(join(scratch, path, ".."), { recursive: true });
  writeFileSync(join(scratch, path), text);
  return join(scratch, path);
}
const skill = (name, description, body = "Do it.") => `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

write("harbour/berth/SKILL.md", skill("berth", "Plans berths. Use when a ship calls."));
write("harbour/tug/SKILL.md", skill("tug", "Books tugs. Use when a ship is large."));
write("harbour/secret/SKILL.md", "---\nname: secret\ndescription: Only people start this.\ndisable-model-invocation: true\n---\nDo it.\n");
const harbour = join(scratch, "harbour");
const example = join(root, "examples", "catalog");
const catalog = Catalog.from((await loadSkills(example)).skills);

describe("what is printed", () => {
  test("is the library's block, whole, with the budget, the reasons and what was left out", () => {
    const expected = catalog.select({ query: "fill in a PDF form" }, { budget: 300 });
    const { status, stdout } = pick([example, "-q", "fill in a PDF form", "-b", "300"]);
    assert.equal(status, 0);
    const block = stdout.split("\n").filter((line) => line.startsWith("│ ")).map((line) => line.slice(2));
    assert.equal(block.join("\n"), expected.xml);
    assert.match(stdout, new RegExp(`^The block: ${expected.tokens} tokens, of 300 `));
    assert.match(stdout, /^pdf-forms +description +\d+ +█+.* 0\.9\d  PDF \(description\)/m);
    assert.match(stdout, /Left out, hidden \(1\)[^]*production-rollback/);
    assert.doesNotMatch(stdout, /\u001b/);
  });
  test("is the block alone with --block, and for programs the pick itself with its shares", () => {
    const args = [example, "-q", "why is this query slow?", "-b", "200", "--format", "compact", "--order", "name"];
    const expected = catalog.select({ query: "why is this query slow?" }, { budget: 200, format: "compact", order: "name" });
    assert.equal(pick([...args, "--block"]).stdout, `${expected.xml}\n`);
    const told = JSON.parse(pick([...args, "--json"]).stdout);
    assert.deepEqual([told.xml, told.tokens, told.state], [expected.xml, expected.tokens, expected.state]);
    const { skills, names, frame, unused } = told.shares;
    assert.equal(unused, 200 - expected.tokens);
    const sum = skills.reduce((total, { tokens }) => total + tokens, 0) + names + frame;
    assert.equal(sum, expected.tokens);
  });
  test("takes every option of the choice", () => {
    const options = ["--mode", "full", "--placement", "split", "--tokenizer", "cl100k", "--max-skills", "5", "--pin", "tug", "--exclude", "berth", "-b", "none", "--active", "tug", "--file", "a.txt"];
    const expected = Catalog.from([
      { name: "berth", description: "Plans berths. Use when a ship calls.", instructions: "Do it." },
      { name: "tug", description: "Books tugs. Use when a ship is large.", instructions: "Do it." },
    ]).select({ query: "ship", active: ["tug"], files: ["a.txt"] }, { mode: "full", placement: "split", tokenizer: "cl100k", maxSkills: 5, pinned: ["tug"], exclude: ["berth"], budget: null, location: false });
    const told = JSON.parse(pick([harbour, "-q", "ship", ...options, "--json"]).stdout);
    assert.deepEqual([told.budget, told.skills.map(({ id, pinned }) => [id, pinned])], [null, expected.skills.map(({ id, pinned }) => [id, pinned])]);
    assert.ok(told.stable !== undefined && told.turn !== undefined);
    assert.deepEqual(told.omitted.map(({ id, reason }) => [id, reason]), [["berth", "excluded"], ["secret", "hidden"]]);
  });
  test("fits any width, and has colours only where they are wanted", () => {
    const coloured = pick([example, "-q", "pdf", "-b", "300"], { env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "1" } }).stdout;
    assert.match(coloured, /\u001b\[36m/);
    assert.equal(coloured.replace(/\u001b\[\d+m/g, ""), pick([example, "-q", "pdf", "-b", "300"]).stdout);
  });
  test("does not let a skill speak to the terminal", () => {
    write("odd/odd/SKILL.md", '---\nname: odd\ndescription: "Clears \\u001b[2J screens, \\u202eslowly."\n---\nDo it.\n');
    const { stdout } = pick([join(scratch, "odd"), "-q", "screens"]);
    assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  });
});

describe("the conversation", () => {
  const messages = [{ role: "user", content: "Which berth for the ship?" }, { role: "assistant", content: "Berth 4." }, { role: "user", content: "Book a tug then." }];
  const shown = ({ stdout }) => JSON.parse(stdout).skills[0].id;
  test("comes from a file of messages, a context, lines, or standard input", () => {
    const whole = JSON.stringify(messages);
    assert.equal(shown(pick([harbour, "-m", write("chat.json", whole), "--json"])), "tug");
    assert.equal(shown(pick([harbour, "-m", write("context.json", JSON.stringify({ messages, active: ["berth"] })), "--json"])), "berth");
    assert.equal(shown(pick([harbour, "-m", write("chat.jsonl", messages.map((one) => JSON.stringify(one)).join("\n")), "--json"])), "tug");
    assert.equal(shown(pick([harbour, "-m", "-", "--json"], { input: `\ufeff${whole}` })), "tug");
  });
  test("and the skills come from folders and catalogs together", () => {
    const file = write("more.json", JSON.stringify([{ name: "pilot", description: "Orders a pilot." }]));
    const { skills } = JSON.parse(pick([harbour, file, "-q", "pilot", "--json"]).stdout);
    assert.deepEqual(skills.map(({ id }) => id).sort(), ["berth", "pilot", "tug"]);
    assert.equal(skills[0].id, "pilot");
  });
});

test("a snapshot is a catalog like any other, also beside a folder", () => {
  const file = join(scratch, "catalog.snapshot");
  writeFileSync(file, Catalog.from([{ name: "pilot", description: "Orders a pilot." }]).toBytes());
  assert.deepEqual(JSON.parse(pick([file, "-q", "pilot", "--json"]).stdout).skills.map(({ id }) => id), ["pilot"]);
  assert.equal(JSON.parse(pick([file, harbour, "-q", "pilot", "--json"]).stdout).skills.length, 3);
  const { status, stderr } = pick([write("noise.bin", "noise"), "-q", "pilot"]);
  assert.deepEqual([status, /noise\.bin is no catalog .*`skillpick build` writes one/.test(stderr)], [3, true]);
});

describe("--explain", () => {
  test("says what is shown, why, and from which budget on", () => {
    const { status, stdout } = pick([example, "-q", "fill in a PDF form", "-b", "300", "--explain", "pdf-forms"]);
    assert.equal(status, 0);
    assert.match(stdout, /^pdf-forms is shown with its description/);
    assert.match(stdout, /place 1 of 39/);
    assert.match(stdout, /^ +PDF +description +█+/m);
  });
  test("names a budget that is enough, and one token less is not", () => {
    const ask = ["-q", "fill in a PDF form"];
    const { explained } = JSON.parse(pick([example, ...ask, "-b", "300", "--explain", "sql-tuning", "--json"]).stdout);
    const { budget } = explained.from.find(({ detail }) => detail === "description");
    const detailAt = (tokens) => catalog.select({ query: ask[1] }, { budget: tokens }).skills.find(({ id }) => id === "sql-tuning")?.detail;
    assert.equal(detailAt(budget), "description");
    assert.notEqual(detailAt(budget - 1), "description");
  });
  test("says of one that is left out what to do about it", () => {
    const { stdout } = pick([harbour, "-q", "ship", "--explain", "secret"]);
    assert.match(stdout, /^secret is left out \(hidden\)[^]*modelInvocable/);
  });
  test("knows near names", () => {
    const { status, stderr } = pick([harbour, "-q", "ship", "--explain", "bert"]);
    assert.deepEqual([status, stderr], [2, "skillpick: --explain bert: the catalog has no such skill; did you mean berth?\n"]);
  });
});

describe("what goes wrong", () => {
  const cases = [
    [["-q", "a", "-m", "b"], 2, /give one of them/],
    [["-b", "5x"], 2, /--budget takes a number of tokens such as 2000, or none/],
    [["-b", "-5"], 2, /written as --budget=-x/],
    [["--format", "html"], 2, /--format takes agentpool, agentskills, compact, two-layer, promethea, not "html"/],
    [["-m", "nowhere.json"], 2, /there is no such file; name a JSON file, or - for standard input/],
    [["-m", write("torn.json", "[{")], 2, /torn\.json is no JSON: /],
    [["-m", write("other.json", "{}")], 2, /should be \[\{ "role": "user"/],
    [["-q", "a", "--require", "tug", "-b", "3"], 2, /give more --budget, or --require less \(required_too_large\)/],
    [["--watch", "-m", "-"], 2, /can't read standard input again/],
    [[write("torn-catalog.json", "{")], 3, /is no catalog .*`skillpick build` writes one/],
  ];
  for (const [args, status, message] of cases) {
    test(`${args.join(" ").replace(scratch, "")}: exit code ${status}, and how to mend it`, () => {
      const got = pick([harbour, ...args]);
      assert.equal(got.status, status, got.stderr);
      assert.match(got.stderr, message);
      assert.doesNotMatch(got.stderr, /\n {4}at /);
    });
  }
  test("nothing to read is 3, a skill that can't be read is 1 and the others are shown", () => {
    assert.equal(pick([join(scratch, "nowhere"), "-q", "a"]).status, 3);
    write("half/berth/SKILL.md", skill("berth", "Plans berths."));
    write("half/torn/SKILL.md", "");
    const { status, stdout } = pick([join(scratch, "half"), "-q", "berths"]);
    assert.equal(status, 1);
    assert.match(stdout, /^berth +description[^]*torn\/SKILL\.md\n +✖ line 1: The file is empty/m);
  });
});

describe("--html", () => {
  const page = (...args) => pick([...args, "--html", "-"]).stdout;
  test("is one page that asks for nothing and runs nothing", () => {
    const text = page(example, "-m", join(example, "conversation.json"), "-b", "700");
    assert.match(text, /^<!doctype html>/);
    assert.doesNotMatch(text, /<script|<link|<img|@import|url\(|https?:\/\/(?!\S*<\/)/i);
    assert.match(text, /default-src 'none'; style-src 'unsafe-inline'/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.equal(text.match(/<span class="skill/g).length, JSON.parse(pick([example, "-m", join(example, "conversation.json"), "-b", "700", "--json"]).stdout).shares.skills.length);
  });
  test("escapes what skills and users say, wherever it stands", () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='y'>&`;
    const file = write("nasty.json", JSON.stringify([{ name: "n", id: `a${nasty}`, description: `Nasty ${nasty}` }]));
    const text = page(file, "-q", `nasty ${nasty}`);
    assert.doesNotMatch(text, /<script|<img|onerror='/);
    assert.ok(text.includes("&#60;script&#62;alert(1)"));
  });
  test("goes to a file beside the usual output", () => {
    const file = join(scratch, "page.html");
    const { status, stdout, stderr } = pick([harbour, "-q", "ship", "--html", file]);
    assert.deepEqual([status, stderr], [0, `skillpick: wrote ${file}\n`]);
    assert.match(stdout, /^The block: /);
    assert.match(readFileSync(file, "utf8"), /<h2>The budget<\/h2>/);
  });
});

test("--watch goes on through changes, broken files and a folder that is gone for a while, and ends well", { timeout: 60_000 }, async () => {
  const folder = join(scratch, "watched");
  write("watched/berth/SKILL.md", skill("berth", "Plans berths."));
  const child = spawn(process.execPath, [program, "pick", folder, "-q", "berths", "--watch"], { env: plain });
  let [seen, from] = ["", 0];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (seen += chunk));
  /** Waits for a text behind what was waited for before. */
  const until = async (pattern) => {
    for (;;) {
      const found = pattern.exec(seen.slice(from));
      if (found) return void (from += found.index + found[0].length);
      if (child.exitCode !== null) assert.fail(`it has ended:\n${seen}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  try {
    await until(/Plans berths\.[^]*watching/);
    write("watched/berth/SKILL.md", skill("berth", "Plans berths and cranes."));
    await until(/changed[^]*Plans berths and cranes\.[^]*watching/);
    write("watched/tug/SKILL.md", skill("tug", "Books tugs."));
    await until(/Books tugs\.[^]*watching/);
    write("watched/tug/SKILL.md", "");
    await until(/The file is empty[^]*watching/);
    write("watched/tug/SKILL.md", skill("tug", "Books tugs again."));
    await until(/Books tugs again\.[^]*watching/);
    renameSync(folder, `${folder}-away`);
    await until(/no skills found[^]*watching/);
    renameSync(`${folder}-away`, folder);
    await until(/Books tugs again\.[^]*watching/);
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGINT");
    assert.equal(await ended, 0);
  } finally {
    child.kill("SIGKILL");
  }
});
