import type { Detail } from "skillpick";
import { el } from "../dom.js";

export interface MapView {
  element: HTMLCanvasElement;
  show(ids: readonly string[], levels: ReadonlyMap<string, Detail>, needs: readonly string[], label: string): void;
}

const GAP = 2;
/** The most room for the cells; a catalog of thousands gets more. */
const HEIGHT = { few: 62, many: 126 };
const MANY = 500;

/** Every skill from A to Z as a cell, coloured by what is shown of it; those that are needed have a ring. */
export function mapView(): MapView {
  const canvas = el("canvas", { class: "map", role: "img" });
  let last: Parameters<MapView["show"]> | undefined;
  let ground: Ground | undefined;
  let width = 0;
  const draw = () => {
    if (!last || width === 0) return;
    const [ids, levels, needs] = last;
    if (ground?.ids !== ids) ground = groundOf(canvas, ids, width);
    paint(canvas, ground, levels, needs);
  };
  const afresh = () => {
    ground = undefined;
    draw();
  };
  // Asking the canvas itself would make the browser lay out the page at every letter.
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry?.contentRect.width ?? 0);
    if (now === width) return;
    width = now;
    afresh();
  }).observe(canvas);
  addEventListener("skillpick:colours", afresh);
  return {
    element: canvas,
    show(...given) {
      last = given;
      canvas.setAttribute("aria-label", given[3]);
      draw();
    },
  };
}

/** What stays the same while the catalog and the page's form do: the cells, and a picture of all of them left out. */
interface Ground {
  ids: readonly string[];
  places: ReadonlyMap<string, readonly [x: number, y: number]>;
  cell: number;
  colours: Record<Detail | "need", string>;
  picture: HTMLCanvasElement;
}

function groundOf(canvas: HTMLCanvasElement, ids: readonly string[], width: number): Ground {
  const scale = Math.min(devicePixelRatio || 1, 3);
  const size = cellSize(ids.length, width, ids.length > MANY ? HEIGHT.many : HEIGHT.few);
  const gap = size > 6 ? GAP : size > 3 ? 1 : 0;
  const columns = Math.max(1, Math.floor((width + gap) / size));
  const height = Math.ceil(Math.ceil(ids.length / columns) * size - gap) + 1;
  canvas.style.height = `${height}px`;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const picture = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = picture.getContext("2d");
  context?.scale(scale, scale);
  if (context) context.fillStyle = colour("level-out");
  const places = new Map<string, readonly [number, number]>();
  ids.forEach((id, index) => {
    const place = [(index % columns) * size, Math.floor(index / columns) * size] as const;
    places.set(id, place);
    context?.fillRect(place[0], place[1], size - gap, size - gap);
  });
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")?.scale(scale, scale);
  const colours = { instructions: colour("level-instructions"), description: colour("level-description"), summary: colour("level-summary"), name: colour("level-name"), need: colour("need") };
  return { ids, places, cell: size - gap, colours, picture };
}

function paint(canvas: HTMLCanvasElement, { places, cell, colours, picture }: Ground, levels: ReadonlyMap<string, Detail>, needs: readonly string[]): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const scale = context.getTransform().a;
  const [width, height] = [canvas.width / scale, canvas.height / scale];
  context.clearRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  for (const [id, level] of levels) {
    const place = places.get(id);
    if (!place) continue;
    context.fillStyle = colours[level];
    context.fillRect(place[0], place[1], cell, cell);
  }
  const ring = Math.max(cell, 6);
  context.strokeStyle = colours.need;
  context.lineWidth = 2;
  for (const id of needs) {
    const place = places.get(id);
    if (place) context.strokeRect(place[0] + 1, place[1] + 1, ring - 2, ring - 2);
  }
}

/** The largest cell with which all have room. */
function cellSize(count: number, width: number, height: number): number {
  for (let size = 18; size > 1; size -= size > 4 ? 1 : 0.25) {
    if (Math.floor((width + GAP) / size) * Math.floor((height + GAP) / size) >= count) return size;
  }
  return 1;
}
