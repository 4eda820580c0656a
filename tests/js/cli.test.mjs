import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Catalog } from "skillpick";

const root = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "skillpick-cli-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

function cli(...args) {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist", "cli.js"), ...args], { encoding: "utf8", env });
  return { status, stdout, stderr };
}

function folder(name, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(scratch, name, file, ".."), { recursive: true });
    writeFileSync(join(scratch, name, file), text);
  }
  return join(scratch, name);
}

const good = folder("good", {
  "berth/SKILL.md": "---\nname: berth\ndescription: Plans berths. Use when a ship calls.\n---\nLook at the tides.\n",
  "tug/SKILL.md": "---\nname: tug\ndescription: Books tugs. Use when a ship is large.\n---\nAsk the pilot.\n",
});
const bad = folder("bad", { "berth/SKILL.md": "---\nname: berth\ndescription: Plans berths: all. Use when a ship calls.\n", "tug/SKILL.md": "" });
const empty = folder("empty", { "readme.md": "" });

describe("build", () => {
  test("prints a catalog that the library takes", () => {
    const { status, stdout, stderr } = cli("build", good, "--source", "project");
    assert.equal(status, 0);
    assert.match(stderr, /2 skills.*nothing to mend/);
    const catalog = Catalog.from(stdout);
    assert.deepEqual([catalog.ids(), catalog.get("tug").source], [["berth", "tug"], "project"]);
  });
  test("writes a file, without bodies on request, and tells programs so", () => {
    const output = join(scratch, "out.json");
    const { status, stdout } = cli("build", good, "-o", output, "--no-bodies", "--json");
    assert.equal(status, 0);
    const { skills } = JSON.parse(readFileSync(output, "utf8"));
    assert.deepEqual(skills.map((skill) => [skill.name, skill.instructions, skill.instructionTokens]), [["berth", undefined, 5], ["tug", undefined, 4]]);
    assert.deepEqual(JSON.parse(stdout), { skills: 2, bytes: readFileSync(output).length, output, diagnostics: [] });
  });
});

describe("check", () => {
  test("is content with good skills", () => {
    const { status, stdout } = cli("check", good);
    assert.deepEqual([status, stdout.trim()], [0, "2 skills: nothing to mend"]);
  });
  test("names file, line and remedy", () => {
    const { status, stdout } = cli("check", bad);
    assert.equal(status, 1);
    assert.match(stdout, /berth\/SKILL\.md\n +✖ line 1: The header opened here is never closed\. Add a line `---`/);
    assert.match(stdout, /▲ line 3: .*\n? *.*description: "…"/);
    assert.match(stdout, /tug\/SKILL\.md\n +✖ line 1: The file is empty/);
    assert.ok(!stdout.includes("\u001b"));
  });
  test("gives JSON, and fails from the level that is asked for", () => {
    const { diagnostics } = JSON.parse(cli("check", bad, "--json").stdout);
    assert.deepEqual(diagnostics.map((one) => one.code).sort(), ["file_empty", "frontmatter_unterminated", "plain_colon"]);
    assert.equal(cli("check", bad, "--fail-on", "never").status, 0);
    assert.equal(cli("check", good, "--budget", "1").status, 1);
  });
});

describe("stats", () => {
  test("has a bar and the tokens of every level for each skill, and totals", () => {
    const { status, stdout } = cli("stats", good);
    assert.equal(status, 0);
    assert.match(stdout, /^berth +\d+ +\d+ +\d+ +▒+█*/m);
    assert.match(stdout, /^2 skills +\d+ +\d+ +\d+/m);
  });
  test("gives the same as JSON", () => {
    const { skills, totals } = JSON.parse(cli("stats", good, "--json", "--sort", "name").stdout);
    assert.deepEqual(skills.map((one) => one.id), ["berth", "tug"]);
    assert.equal(totals.instructions, skills[0].instructions + skills[1].instructions);
  });
});

describe("exit codes", () => {
  const cases = [
    [["check", empty], 3],
    [["build", join(scratch, "nowhere")], 3],
    [["stats", empty], 3],
    [["check", "--no-such-option"], 2],
    [["check", good, "--budget", "-1"], 2],
    [["check", good, "--fail-on", "x"], 2],
    [["wash"], 2],
    [[], 2],
    [["help"], 0],
    [["help", "wash"], 2],
    [["build", "--help"], 0],
    [["--version"], 0],
  ];
  for (const [args, status] of cases) test(`${args.join(" ").replaceAll(scratch, "")}: ${status}`, () => assert.equal(cli(...args).status, status));
});

describe("a wrong command line is told with a way to mend it", () => {
  const cases = [
    [["pick", good, "--qery", "x"], "there is no option --qery; did you mean --query?"],
    [["pick", good, "--query"], "--query needs a value; one that begins with a dash is written as --query=-x"],
    [["pick", good, "--budget", "-5"], "--budget needs a value; one that begins with a dash is written as --budget=-x"],
    [["chek", good], 'there is no command "chek"; did you mean check?; see skillpick help'],
    [["build", good, "--output", join(scratch, "nowhere", "x.json")], `${join(scratch, "nowhere", "x.json")}: there is no such file, or no such folder to write it to`],
  ];
  for (const [args, message] of cases) {
    test(args.join(" ").replaceAll(scratch, ""), () => assert.equal(cli(...args).stderr.split("\n").find((line) => line.startsWith("skillpick:")), `skillpick: ${message}`));
  }
});

test("escape sequences of a file never reach the terminal", () => {
  const evil = folder("evil", { "a/SKILL.md": "---\nname: a\ndescription: \"Use when \\u001b[31mred\\u202e\"\nx\u001b[2J\n---\n" });
  const { stdout, stderr } = cli("check", evil);
  assert.ok(!`${stdout}${stderr}`.includes("\u001b") && !stdout.includes("\u202e"));
});
