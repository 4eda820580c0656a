import { button, el, fill, folding, say, setAttributes } from "../dom.js";
import { chosenFiles, droppedFiles } from "../drop.js";
import type { CatalogInfo, Source, SourceFile } from "../engine/protocol.js";
import { texts } from "../texts.js";

const t = texts.catalog;
const SHOWN_REMARKS = 20;

export interface CatalogView {
  element: HTMLElement;
  show(info: CatalogInfo | undefined, reading: boolean): void;
}

interface Events {
  /** Files were dropped or chosen; `source` or `failed` follows. */
  reading(): void;
  source(source: Source): void;
  failed(message: string): void;
}

export function catalogView(events: Events): CatalogView {
  const kinds = (["example", "generated"] as const).map((kind) => ({
    kind: kind as Source["kind"],
    chip: button(t[kind], { class: "chip", "aria-pressed": "false", "aria-label": `${t[kind]}: ${t[`${kind}Label`]}` }, () => events.source({ kind })),
  }));
  const own = el("span", { class: "chip own", hidden: true }, t.own);
  const status = el("p", { class: "status", role: "status" });
  const remarks = el("div");
  const held = el("span", { class: "quiet" });
  const read = (files: SourceFile[] | Promise<SourceFile[]>) => {
    events.reading();
    Promise.resolve(files).then((found) => events.source({ kind: "files", files: found }), (error: unknown) => events.failed(error instanceof Error ? error.message : texts.errors.unreadable));
  };
  const pickFiles = fileInput({ multiple: true, accept: ".md,.json,.zip,.skill" }, read);
  const pickFolder = fileInput({ webkitdirectory: true }, read);
  const zone = el(
    "div",
    { class: "drop" },
    el("p", {}, t.drop),
    el("div", { class: "drop-buttons" }, button(t.files, { class: "plain" }, () => pickFiles.click()), button(t.folder, { class: "plain" }, () => pickFolder.click())),
    pickFiles,
    pickFolder,
  );
  acceptDrops(read);

  return {
    element: folding("catalog", t.heading, held, el("div", { class: "chips" }, ...kinds.map(({ chip }) => chip), own), zone, status, remarks),
    show(info, busy) {
      for (const { kind, chip } of kinds) setAttributes(chip, { "aria-pressed": info?.kind === kind ? "true" : "false" });
      own.hidden = !info || info.kind === "example" || info.kind === "generated";
      say(status, busy ? t.reading : info ? told(info) : "");
      say(held, info ? texts.format.count(info.size, "skill") : "");
      fill(remarks, info && info.diagnosticCount > 0 && remarkList(info));
    },
  };
}

function told(info: CatalogInfo): string {
  const hidden = info.size - info.ids.length;
  return [t.ready(info.size, info.ms), hidden > 0 && t.hidden(hidden), info.ignored > 0 && t.ignored(info.ignored)].filter(Boolean).join(" · ");
}

function remarkList({ diagnostics, diagnosticCount }: CatalogInfo): HTMLElement {
  const shown = diagnostics.slice(0, SHOWN_REMARKS);
  const place = ({ file, line, skill, path }: (typeof diagnostics)[number]) => (file ? `${file}${line ? `:${line}` : ""}` : (skill ?? path ?? ""));
  return el(
    "details",
    { class: "remarks" },
    el("summary", {}, t.remarks(diagnosticCount)),
    el(
      "ul",
      {},
      ...shown.map((one) => el("li", { class: one.severity, dir: "auto" }, el("strong", {}, place(one)), " ", one.message)),
      diagnosticCount > shown.length && el("li", {}, t.moreRemarks(diagnosticCount - shown.length)),
    ),
  );
}

function fileInput(props: Record<string, string | boolean>, read: (files: SourceFile[]) => void): HTMLInputElement {
  const input = el("input", { type: "file", hidden: true, tabindex: -1, ...props });
  input.addEventListener("change", () => {
    if (input.files && input.files.length > 0) read(chosenFiles(input.files));
    input.value = "";
  });
  return input;
}

/** Skills may be dropped anywhere on the page; the page says so while they are above it. */
function acceptDrops(read: (files: Promise<SourceFile[]>) => void): void {
  const veil = el("div", { class: "veil", hidden: true, "aria-hidden": "true" }, el("p", {}, t.dropNow));
  document.body.append(veil);
  let depth = 0;
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const show = (change: number) => {
    depth = Math.max(0, depth + change);
    veil.hidden = depth === 0;
  };
  addEventListener("dragenter", (event) => holdsFiles(event) && show(1));
  addEventListener("dragleave", (event) => holdsFiles(event) && show(-1));
  addEventListener("dragover", (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer || !holdsFiles(event)) return;
    event.preventDefault();
    show(-depth);
    read(droppedFiles(event.dataTransfer));
  });
}
