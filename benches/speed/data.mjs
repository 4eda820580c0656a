// What the speed bench runs on: catalogs of any size and conversations, the same in every process.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadSkills } from "skillpick/loader";

const root = join(import.meta.dirname, "..", "..");
const corpus = join(process.env.SKILLPICK_SHARED ?? join(root, "..", "shared"), "corpus");

/** Whether real skills are there; otherwise the shipped example catalog is varied. */
export const real = existsSync(join(corpus, "skills-36k.jsonl.gz"));

const lines = (name) => gunzipSync(readFileSync(join(corpus, name))).toString().trim().split("\n").map((line) => JSON.parse(line));

/** `count` skills; beyond the number of real ones, the same again with other names and a few words changed by a fixed seed. */
export async function catalog(count, bodies) {
  const source = real
    ? lines(bodies ? "skills-10k-with-bodies.jsonl.gz" : "skills-36k.jsonl.gz")
    : (await loadSkills(join(root, "examples", "catalog"))).skills;
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const vocabulary = source.slice(0, 500).flatMap(({ description }) => description.split(/\s+/)).filter((word) => /^[a-z]{4,}$/.test(word));
  return Array.from({ length: count }, (_, i) => {
    const { id, name, description, instructions } = source[i % source.length];
    const skill = { id: id ?? name, name, description, ...(bodies ? { instructions } : {}) };
    if (i < source.length) return skill;
    const words = description.split(" ");
    for (let k = 0; k < 4; k++) words[random(words.length)] = vocabulary[random(vocabulary.length)];
    return { ...skill, id: `${skill.id}-${i}`, description: words.join(" ") };
  });
}

/** Requests of the last turn. */
export const requests = [
  "Merge these two member lists, remove the duplicates, and write the result to one spreadsheet.",
  "Fill in the PDF registration form for each member and leave the signature empty.",
  "Why does the deployment to the staging cluster fail with an image pull error?",
  "Translate the release notes into Spanish and keep the headings as they are.",
  "Plot monthly revenue by region from sales.csv and put the chart on a slide.",
  "Review this pull request for security problems before we merge it.",
  "Draft a polite answer to the customer whose order arrived broken.",
  "Set up continuous integration for a Rust workspace with three crates.",
  "Find out which query makes the dashboard slow and propose an index.",
  "Summarise the meeting from the transcript, with decisions and open questions.",
  "Write unit tests for the date parser, leap years included.",
  "Resize all images in this folder to 1200 pixels and convert them to webp.",
];

const chatter = [
  ["user", "Good morning. We have until Friday, so let us go step by step and keep notes of what is still open as we go along."],
  ["assistant", "Understood. I will propose each step before I do it, and keep a list of open points at the end of each answer."],
  ["user", "Yesterday's export is in the folder. Some of the columns have other names than last year, and two files are empty, please ignore those."],
  ["assistant", "I looked at the folder: nine files, two of them empty. The columns that differ are the e-mail address, the date of entry and the fee."],
];

/** A conversation of about so many bytes that ends with a request; beyond a few turns it is filled with pasted log lines. */
export function conversation(request, bytes) {
  const messages = [];
  let size = request.length;
  for (let i = 0; size < Math.min(bytes, 2_000); i++) {
    const [role, content] = chatter[i % chatter.length];
    messages.push({ role, content });
    size += content.length;
  }
  for (let i = 0; size < bytes; i++) {
    const content = Array.from({ length: 40 }, (_, k) => `2026-01-${10 + (k % 20)}T08:${10 + k}:00Z INFO worker-${i % 7} handled request ${i * 40 + k} in ${k * 3} ms`).join("\n");
    messages.push({ role: "tool", content });
    size += content.length;
  }
  return { messages: [...messages, { role: "user", content: request }] };
}
