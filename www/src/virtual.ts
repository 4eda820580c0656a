import { el, freshId } from "./dom.js";

export interface ListOptions<T> {
  label: string;
  rowHeight: number;
  /** Fills a row, which may have held another item before. */
  render(row: HTMLElement, item: T, index: number): void;
  /** The item that the keyboard, a click or the pointer is on. */
  onActive?(item: T | undefined): void;
}

/** A list box that has only the rows in sight in the document, for any number of items. One tab stop; the arrow keys move in it. */
export class VirtualList<T> {
  readonly element: HTMLElement;
  readonly #spacer = el("div", { role: "presentation", class: "rows" });
  readonly #rows = new Map<number, HTMLElement>();
  readonly #options: ListOptions<T>;
  readonly #prefix = freshId("row");
  #items: readonly T[] = [];
  #active = 0;
  #hovered: number | undefined;
  /** Kept, because asking the element makes the browser lay out the page. */
  #height = 400;
  #top = 0;

  constructor(options: ListOptions<T>) {
    this.#options = options;
    this.element = el("div", { class: "virtual", role: "listbox", tabindex: 0, "aria-label": options.label }, this.#spacer);
    this.element.addEventListener(
      "scroll",
      () => {
        this.#top = this.element.scrollTop;
        this.#draw();
      },
      { passive: true },
    );
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("click", (event) => this.#point(event, true));
    this.element.addEventListener("pointerover", (event) => this.#point(event, false));
    this.element.addEventListener("pointerleave", () => this.#hover(undefined));
    this.element.addEventListener("focus", () => this.#hover(undefined));
    new ResizeObserver(([entry]) => {
      this.#height = entry?.contentRect.height || 400;
      this.#draw();
    }).observe(this.element);
  }

  get active(): T | undefined {
    return this.#items[this.#hovered ?? this.#active];
  }

  set(items: readonly T[], active = 0): void {
    this.#items = items;
    this.#hovered = undefined;
    this.#active = Math.min(Math.max(active, 0), Math.max(items.length - 1, 0));
    this.#spacer.style.height = `${items.length * this.#options.rowHeight}px`;
    const last = Math.max(0, items.length * this.#options.rowHeight - this.#height);
    if (this.#top > last) this.#scroll(last);
    this.#draw(true);
    this.#options.onActive?.(this.active);
  }

  select(index: number): void {
    if (this.#items.length === 0) return;
    this.#active = Math.min(Math.max(index, 0), this.#items.length - 1);
    this.#hovered = undefined;
    const { rowHeight } = this.#options;
    const [top, bottom] = [this.#active * rowHeight, (this.#active + 1) * rowHeight];
    if (top < this.#top) this.#scroll(top);
    else if (bottom > this.#top + this.#height) this.#scroll(bottom - this.#height);
    this.#draw();
    this.#options.onActive?.(this.active);
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#height / this.#options.rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.select(this.#active + step);
  }

  #point(event: Event, chosen: boolean): void {
    const row = (event.target as Element).closest<HTMLElement>("[role=option]");
    if (!row) return;
    const index = Number(row.dataset["index"]);
    if (chosen) this.select(index);
    else this.#hover(index);
  }

  #hover(index: number | undefined): void {
    if (this.#hovered === index) return;
    this.#hovered = index;
    this.#options.onActive?.(this.active);
  }

  #scroll(top: number): void {
    this.element.scrollTop = top;
    this.#top = top;
  }

  #draw(afresh = false): void {
    const { rowHeight, render } = this.#options;
    const first = Math.max(0, Math.floor(this.#top / rowHeight) - 2);
    const end = Math.min(this.#items.length, Math.ceil((this.#top + this.#height) / rowHeight) + 2);
    const wanted = new Set<number>([this.#active].filter((index) => index < this.#items.length));
    for (let index = first; index < end; index++) wanted.add(index);
    for (const [index, row] of this.#rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (const index of [...wanted].sort((a, b) => a - b)) {
      const known = this.#rows.get(index);
      const row = known ?? this.#row(index);
      if (!known || afresh) render(row, this.#items[index] as T, index);
      row.setAttribute("aria-setsize", String(this.#items.length));
      row.setAttribute("aria-selected", String(index === this.#active));
    }
    if (this.#items.length > 0) this.element.setAttribute("aria-activedescendant", `${this.#prefix}-${this.#active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #row(index: number): HTMLElement {
    const row = el("div", { role: "option", id: `${this.#prefix}-${index}`, class: "row", "data-index": index, "aria-posinset": index + 1 });
    row.style.height = `${this.#options.rowHeight}px`;
    row.style.transform = `translateY(${index * this.#options.rowHeight}px)`;
    this.#rows.set(index, row);
    this.#spacer.append(row);
    return row;
  }
}
