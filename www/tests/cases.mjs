// What the playground has to do, in any browser. The package is called here directly, and the page has to show the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { Catalog } from "../../dist/index.js";
import { loadSkills } from "../../dist/loader.js";
import { parseSkill } from "../../dist/skill-md.js";

const examples = join(import.meta.dirname, "..", "..", "examples", "catalog");
const { skills } = await loadSkills(examples);
const example = Catalog.from(skills);
const conversation = JSON.parse(readFileSync(join(examples, "conversation.json"), "utf8"));
const LAST = ".turns li:last-child textarea";

const FOLDER = {
  "skills/bake-bread/SKILL.md": "---\nname: bake-bread\ndescription: Bake bread with yeast or sourdough. Use when dough doesn't rise.\n---\n\n# Bread\n",
  "skills/bake-bread/references/flour.md": "Not a skill.\n",
  "skills/mend-bike/SKILL.md": "---\nname: mend-bike\ndescription: Mend punctures and chains of bicycles.\n---\n\n# Bike\n",
  "skills/deep/er/prune-roses/SKILL.md": "---\nname: prune-roses\ndescription: Prune roses in spring & autumn.\n---\n\n# Roses\n",
  "skills/package.json": "{}",
};
const fromFolder = Object.entries(FOLDER).flatMap(([file, text]) => (file.endsWith("SKILL.md") ? [{ ...parseSkill(text, { file }).skill, location: file.replace("/SKILL.md", "") }] : []));

const HOSTILE = [
  { name: "<img src=x onerror=window.pwned=1>", description: "</skill><script>window.pwned=1</script><style>*{display:none}</style>" },
  { name: "javascript:pwned()", description: '"><svg onload=window.pwned=1> bread ]]> & \u202e reversed', location: "javascript:window.pwned=1" },
  { name: "__proto__", description: "bread {{constructor.constructor('window.pwned=1')()}}", tags: ["<b>"], triggers: ["<iframe srcdoc='<script>parent.pwned=1</script>'>"] },
];

/** What doesn't depend on the browser, or can be done in this one only. */
const ONE = "chromium";

export const tests = [
  {
    title: "shows for the example what the package answers",
    async work({ do: inPage, assert }) {
      const pick = example.select(conversation, { budget: 400 });
      assert.equal(await inPage("block", "ours"), pick.xml);
      const { skills: read, names } = await inPage("readBack");
      assert.deepEqual(read.map(({ id }) => id), pick.skills.filter(({ detail }) => detail !== "name").map(({ id }) => id));
      assert.deepEqual(names, pick.skills.filter(({ detail }) => detail === "name").map(({ id }) => id));
      const cut = await inPage("block", "cut");
      assert.ok(!cut.includes("pdf-forms") && cut.includes("accessibility-audit"));
    },
  },
  {
    title: "the cut by alphabet is the longest that fits",
    only: ONE,
    async work({ do: inPage, settle, assert }) {
      for (const budget of [150, 400, 1500]) {
        await inPage("type", "#budget-number", String(budget));
        await settle();
        const cut = await inPage("block", "cut");
        const shown = [...cut.matchAll(/<skill id="([^"]*)"/g)].map(([, id]) => id);
        const list = (count) => Catalog.from(sorted.slice(0, count)).select({}, { budget: null, order: "catalog" });
        const sorted = example.ids().map((id) => example.get(id)).filter(({ modelInvocable, kind }) => modelInvocable !== false && kind !== "rule");
        assert.equal(cut, list(shown.length).xml);
        assert.ok(list(shown.length).tokens <= budget && list(shown.length + 1).tokens > budget);
      }
    },
  },
  {
    title: "typing, the slider and the options change the block",
    async work({ do: inPage, settle, assert, browser }) {
      const messages = [...conversation.messages.slice(0, -1), { role: "user", content: "An SQL query with EXPLAIN is slow." }];
      await inPage("type", LAST, messages.at(-1).content);
      await settle();
      assert.equal(await inPage("block", "ours"), example.select({ ...conversation, messages }, { budget: 400 }).xml);
      await inPage("type", "#budget-slider", "300");
      await settle();
      const budget = Number(await browser.evaluate(() => document.querySelector("#budget-number").value));
      assert.equal(budget, 1450);
      assert.equal(await inPage("block", "ours"), example.select({ ...conversation, messages }, { budget }).xml);
      for (const [option, value] of Object.entries({ format: "compact", mode: "auto", order: "name" })) await inPage("choose", `#option-${option}`, value);
      await settle();
      assert.equal(await inPage("block", "ours"), example.select({ ...conversation, messages }, { budget, format: "compact", mode: "auto", order: "name" }).xml);
    },
  },
  {
    title: "split and sticky rest on the turns before",
    only: ONE,
    async work({ do: inPage, settle, assert, browser }) {
      for (const placement of ["split", "single"]) {
        await inPage("choose", "#option-placement", placement);
        if (placement === "single") await inPage("click", "#sticky");
        await settle();
        const picks = [];
        for (const end of [1, 3, 5]) picks.push(example.select({ messages: conversation.messages.slice(0, end), files: conversation.files, previous: picks.at(-1)?.state }, { budget: 400, placement }));
        // A turn that adds nothing leaves the line break behind the stable part.
        assert.equal(await inPage("block", "ours"), picks.at(-1).xml.trimEnd());
        const earlier = await browser.evaluate(() => [...document.querySelectorAll(".card.ours .line.earlier")].map((line) => line.textContent).join("\n"));
        assert.equal(earlier, picks.slice(0, -1).flatMap(({ turn }) => (turn ? [turn] : [])).join("\n"));
      }
    },
  },
  {
    title: "reads a dropped folder",
    async work({ do: inPage, settle, assert, browser }) {
      await inPage("drop", FOLDER);
      await settle();
      await inPage("type", LAST, "My dough doesn't rise");
      await settle();
      const direct = Catalog.from(fromFolder).select({ ...conversation, messages: [...conversation.messages.slice(0, -1), { role: "user", content: "My dough doesn't rise" }] }, { budget: 400 });
      assert.equal(await inPage("block", "ours"), direct.xml);
      assert.match(await browser.evaluate(() => document.querySelector("#catalog .status").textContent), /^3 skills .*1 file without a skill/);
    },
  },
  {
    title: "reads a folder as the browser itself drops it",
    only: ONE,
    async work({ settle, assert, browser }) {
      const session = await browser.page.createCDPSession();
      const data = { items: [], files: [join(examples, "pdf-forms"), join(examples, "sql-tuning")], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
      await settle();
      assert.match(await browser.evaluate(() => document.querySelector("#catalog .status").textContent), /^2 skills /);
    },
  },
  {
    title: "reads ZIP archives, JSON catalogs and single files",
    async work({ do: inPage, settle, assert, browser }) {
      const status = () => browser.evaluate(() => document.querySelector("#catalog .status").textContent);
      const bytes = (text) => new TextEncoder().encode(text);
      await inPage("drop", { "skills.zip": [...zipSync(Object.fromEntries(Object.entries(FOLDER).map(([path, text]) => [path, bytes(text)])))] });
      await settle();
      assert.match(await status(), /^3 skills /);
      assert.deepEqual((await inPage("readBack")).skills.map(({ id }) => id).sort(), ["bake-bread", "mend-bike", "prune-roses"]);
      await inPage("drop", { "catalog.json": JSON.stringify({ skills: [{ name: "one", description: "One." }, { name: "two" }] }) });
      await settle();
      assert.match(await status(), /^2 skills /);
      await inPage("drop", { "note.md": "# Water plants\n\nHow to water plants." });
      await settle();
      assert.match(await status(), /^1 skill /);
    },
  },
  {
    title: "says what is wrong with a catalog, and keeps the one before",
    only: ONE,
    async work({ do: inPage, settle, assert, browser }) {
      const before = await inPage("block", "ours");
      const error = () => browser.evaluate(() => [...document.querySelectorAll("[role=alert] .error:not([hidden]) p")].map((p) => p.textContent).join());
      for (const [files, told] of [[{ "broken.json": "[{" }, /./], [{ "skills.zip": "no zip" }, /not a ZIP/], [{ "picture.png": "x" }, /No skill found/], [{ "empty.json": "[]" }, /no skill/]]) {
        await inPage("drop", files);
        await settle();
        assert.match(await error(), told);
        assert.equal(await inPage("block", "ours"), before);
      }
      await inPage("type", "#budget-number", "-3");
      assert.equal(await browser.evaluate(() => document.querySelector("#budget-number").getAttribute("aria-invalid")), "true");
    },
  },
  {
    title: "a hostile catalog stays text",
    async work({ do: inPage, settle, assert, browser }) {
      await inPage("drop", { "hostile.json": JSON.stringify(HOSTILE) });
      await settle();
      await inPage("type", LAST, "<script>window.pwned=1</script> bread <img src=x onerror=window.pwned=1>");
      for (const format of ["agentpool", "agentskills", "compact", "two-layer", "promethea"]) {
        await inPage("choose", "#option-format", format);
        await settle();
      }
      await inPage("choose", "#option-format", "agentpool");
      await settle();
      assert.equal((await inPage("readBack")).skills.length, 3);
      const strange = await browser.evaluate(() => [window.pwned ?? null, document.querySelectorAll("main img, main script, main style, main iframe, main svg:not(.icon)").length]);
      assert.deepEqual(strange, [null, 0]);
    },
  },
  {
    title: "a link brings everything back",
    async work({ do: inPage, open, settle, assert, browser, name }) {
      await inPage("drop", FOLDER);
      await settle();
      await inPage("type", LAST, "The chain of my bicycle is off – 自行车");
      await inPage("type", "#files", "bike.txt");
      await inPage("type", "#budget-number", "90");
      await inPage("choose", "#option-format", "agentskills");
      await settle();
      const before = await inPage("block", "ours");
      await inPage("click", "#share");
      await browser.evaluate(async () => {
        while (location.hash === "") await new Promise((resolve) => setTimeout(resolve, 10));
      });
      const hash = await browser.evaluate(() => location.hash);
      assert.ok(hash.length > 100);
      await open(hash);
      assert.equal(await inPage("block", "ours"), before);
      assert.deepEqual(await browser.evaluate(() => ["#files", "#budget-number", "#option-format", ".turns li:last-child textarea"].map((at) => document.querySelector(at).value)), ["bike.txt", "90", "agentskills", "The chain of my bicycle is off – 自行车"]);
      for (const broken of name === ONE ? ["#nothing", `#${"A".repeat(500)}`, hash.slice(0, -20)] : ["#nothing"]) {
        await open(broken);
        assert.equal(await inPage("block", "ours"), example.select(conversation, { budget: 400 }).xml);
      }
    },
  },
  {
    title: "copies and downloads the block and the pick",
    async work({ do: inPage, assert, browser }) {
      const saved = await browser.evaluate(async () => {
        const saved = {};
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (saved.copied = text) } });
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          saved.blob = blob;
          return make.call(URL, blob);
        };
        HTMLAnchorElement.prototype.click = function () {
          saved.name = this.download;
        };
        const taken = async (id) => {
          document.getElementById(id).click();
          return [saved.name, await saved.blob.text()];
        };
        document.getElementById("copy").click();
        return { block: await taken("download"), pick: await taken("download-pick"), copied: saved.copied, notice: document.querySelector(".notice").textContent };
      });
      const pick = example.select(conversation, { budget: 400 });
      assert.equal(saved.copied, pick.xml);
      assert.equal(saved.notice, "Copied");
      assert.deepEqual(saved.block, ["skills.xml", pick.xml]);
      assert.equal(saved.pick[0], "pick.json");
      assert.deepEqual(JSON.parse(saved.pick[1]), JSON.parse(JSON.stringify(pick)));
      assert.equal(await inPage("block", "ours"), pick.xml);
    },
  },
  {
    title: "everything can be reached and used by keyboard",
    async work({ do: inPage, settle, assert, browser }) {
      const walked = [];
      for (let index = 0; index < 70; index++) {
        await browser.press("Tab");
        const { what, role, ring } = await inPage("focused");
        if (walked.some((one) => one.what === what && one.role === role) && role === "body") break;
        assert.ok(ring || role === "body", `no ring around ${what}`);
        walked.push({ what, role });
        if (what === "Skills that were left out") break;
      }
      const order = walked.map(({ what }) => what);
      for (const what of ["Skip to the result", "share", "Papers by Friday", "Message 5", "files", "Choose a folder", "option-mode", "sticky", "budget-slider", "budget-number", "The block", "copy", "Skills by relevance"]) assert.ok(order.includes(what), `${what} is not among ${order.join(", ")}`);
      await browser.evaluate(() => document.querySelector("#ranking [role=listbox]").focus());
      const why = () => browser.evaluate(() => document.querySelector("#why h3").textContent);
      assert.equal(await why(), "pdf-forms");
      await browser.press("ArrowDown");
      assert.equal(await why(), "spreadsheet-cleanup");
      await browser.press("End");
      await settle();
      assert.equal(await browser.evaluate(() => { const list = document.querySelector("#ranking [role=listbox]"); return document.getElementById(list.getAttribute("aria-activedescendant")).getAttribute("aria-selected"); }), "true");
      await browser.evaluate(() => document.querySelector("#budget-slider").focus());
      const budget = () => browser.evaluate(() => document.querySelector("#budget-number").value);
      const before = Number(await budget());
      for (let index = 0; index < 10; index++) await browser.press("ArrowRight");
      assert.ok(Number(await budget()) > before);
    },
  },
  {
    title: "evidence on hover",
    async work({ assert, browser }) {
      const seen = await browser.evaluate(() => {
        const over = (element) => element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
        over(document.querySelectorAll("#ranking [role=option]")[1].querySelector(".row-id"));
        const name = document.querySelector("#why h3").textContent;
        const terms = document.querySelectorAll("#why .evidence li").length;
        document.querySelector("#ranking [role=listbox]").dispatchEvent(new PointerEvent("pointerleave"));
        return [name, terms > 0, document.querySelector("#why h3").textContent];
      });
      assert.deepEqual(seen, ["spreadsheet-cleanup", true, "pdf-forms"]);
    },
  },
  {
    title: "10,000 skills",
    async work({ do: inPage, settle, assert, browser, name }) {
      await browser.evaluate(() => [...document.querySelectorAll("#catalog .chip")].find((chip) => chip.textContent.startsWith("10,000")).click());
      await browser.evaluate(async () => {
        while (!document.querySelector("#catalog .status").textContent.startsWith("10,041")) await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await settle();
      assert.ok((await inPage("readBack")).skills.some(({ id }) => id === "pdf-forms"));
      assert.ok((await browser.evaluate(() => document.querySelectorAll("[role=option]").length)) < 100);
      await inPage("measureTyping", LAST, " a");
      const { select, drawing, shown } = await inPage("measureTyping", LAST, name === "webkit" ? " sort" : " sort by name");
      const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1].toFixed(1);
      const late = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)].toFixed(1);
      console.log(`  ${name}, 10,041 skills: select ${middle(select)} ms (95 %: ${late(select)}), drawing ${middle(drawing)} ms (95 %: ${late(drawing)}), letter to frame ${middle(shown)} ms (95 %: ${late(shown)})`);
    },
  },
  {
    title: "works without the network",
    async work({ do: inPage, settle, assert, browser, stopServer, url }) {
      await browser.evaluate(async () => {
        await navigator.serviceWorker.ready;
        while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await stopServer();
      await browser.open("about:blank");
      await browser.open(url);
      await settle();
      assert.equal(await inPage("block", "ours"), example.select(conversation, { budget: 400 }).xml);
      await browser.evaluate(() => (window.skillpickFaults = []));
    },
  },
];

/** Views that axe looks at, each in light and dark, at a desk's and a phone's width; each builds on the one before. */
const VIEWS = {
  example: async () => {},
  trouble: async ({ do: inPage, settle }) => {
    await inPage("drop", { "hostile.json": JSON.stringify(HOSTILE) });
    await settle();
    await inPage("choose", "#option-placement", "split");
    await settle();
    await inPage("drop", { "broken.json": "[{" });
    await settle();
    await inPage("type", "#budget-number", "");
  },
  empty: ({ do: inPage }) => inPage("type", "#budget-number", "0"),
};

export const axeTests = [1280, 390].flatMap((width) =>
  ["light", "dark"].map((scheme) => ({
    title: `axe finds nothing at ${width} px, ${scheme}`,
    only: ONE,
    async work(tools) {
      const { browser, axe, assert, screenshots } = tools;
      await browser.size(width, width > 1000 ? 900 : 844);
      await tools.do("choose", "#theme", scheme);
      await browser.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
      await browser.source(axe);
      for (const [view, prepare] of Object.entries(VIEWS)) {
        await prepare(tools);
        await tools.settle();
        if (screenshots) await browser.screenshot(join(screenshots, `${view}-${width}-${scheme}.png`));
        const found = await browser.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`);
        });
        assert.deepEqual(found, [], `in view ${view}`);
        const wide = await browser.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${view} is ${wide} px too wide`);
      }
    },
  })),
);
