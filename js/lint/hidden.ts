/** Characters that a person does not see and a model reads. */
export interface Hidden {
  kind: "tags" | "bidi" | "invisible";
  /** What it says, or the code points. */
  decoded: string;
  /** How many characters. */
  count: number;
}

const TAG_FIRST = 0xe0000;
const TAG_LAST = 0xe007f;
/** Flags of England, Scotland and Wales, the subdivision flags in general use. */
const FLAGS = ["gbeng", "gbsct", "gbwls"];

/** The hidden characters of a text, by kind. Joiners inside emoji and in scripts that need them are no fault. */
export function findHidden(text: string): Hidden[] {
  const tags: string[] = [];
  const bidi: string[] = [];
  const invisible: string[] = [];
  let previous = "";
  let run = "";
  const endRun = () => {
    if (run !== "" && !(previous === "🏴" && FLAGS.includes(run))) tags.push(run);
    run = "";
  };
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= TAG_FIRST && code <= TAG_LAST) {
      if (code > 0xe001f && code < TAG_LAST) run += String.fromCharCode(code - TAG_FIRST);
      continue;
    }
    endRun();
    if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) bidi.push(name(code));
    else if (code === 0x200b || code === 0x2060 || code === 0xfeff || code === 0xad || code === 0x180e) invisible.push(name(code));
    else if ((code >= 0x2061 && code <= 0x2064) || (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0100 && code <= 0xe01ef)) invisible.push(name(code));
    previous = character;
  }
  endRun();
  const found: Hidden[] = [];
  if (tags.length > 0) found.push({ kind: "tags", decoded: tags.join(" … "), count: tags.join("").length });
  if (bidi.length > 0) found.push({ kind: "bidi", decoded: [...new Set(bidi)].join(" "), count: bidi.length });
  if (invisible.length > 0) found.push({ kind: "invisible", decoded: [...new Set(invisible)].join(" "), count: invisible.length });
  return found;
}

function name(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
