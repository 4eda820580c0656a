/** What a command writes to. Tests pass their own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether standard output takes colours. */
  colours: boolean;
  /** Whether standard error is a terminal, which a progress bar needs. */
  progress: boolean;
  /** Columns of the terminal. */
  width: number;
}

/** The process's own streams. NO_COLOR and FORCE_COLOR are respected. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const isPlain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    colours: !isPlain && (stdout.isTTY === true || (env["FORCE_COLOR"] ?? "0") !== "0"),
    progress: stderr.isTTY === true && env["CI"] === undefined,
    width: Math.min(stdout.columns ?? 100, 120),
  };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

/** Colours a text where the terminal takes it. */
export function paint(terminal: Terminal, colour: keyof typeof CODES, text: string): string {
  return terminal.colours && text !== "" ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

const EIGHTHS = " ▏▎▍▌▋▊▉";

/** A bar of `share` of `width` cells, padded with blanks. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const full = Math.floor(eighths / 8);
  const rest = full < width ? (EIGHTHS[eighths % 8] as string) : "";
  return ("█".repeat(full) + rest).padEnd(width);
}

/** Cells that a text takes: wide characters two, joining ones none. */
export function cells(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    const isWide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3);
    count += isWide || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xff60) || code >= 0x1f300 ? 2 : 1;
  }
  return count;
}

/** A text in exactly `width` cells, cut with an ellipsis. Control characters can't reach the terminal. */
export function fit(text: string, width: number): string {
  const clean = visible(text);
  if (cells(clean) <= width) return clean + " ".repeat(width - cells(clean));
  let cut = "";
  for (const character of clean) {
    if (cells(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…${" ".repeat(Math.max(0, width - 1 - cells(cut)))}`;
}

/** A text whose control and direction characters are shown, not obeyed. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (character) =>
    character === "\n" || character === "\t" ? " " : `<U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** Lines of at most `width` cells; the second and later ones are indented. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of visible(text).split(" ")) {
    if (line !== "" && cells(line) + 1 + cells(word) > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** A progress bar on standard error; silent where that is no terminal. */
export function progressBar(terminal: Terminal, label: string): { step: (done: number, total: number) => void; end: () => void } {
  let shown = -1;
  if (!terminal.progress) return { step: () => undefined, end: () => undefined };
  return {
    step(done, total) {
      const percent = Math.floor((done / Math.max(1, total)) * 100);
      if (percent === shown) return;
      shown = percent;
      terminal.err(`\r${label} ${bar(done / Math.max(1, total), 30)} ${String(percent).padStart(3)} %  ${done}/${total}`);
    },
    end: () => terminal.err("\r\u001b[2K"),
  };
}

/** A number with blanks between thousands. */
export function thousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, " ");
}
