/**
 * The tools of a list written as text: `Read, Grep`, `Read Grep`, `Bash(git add *) Read`. Blanks and commas divide outside
 * parentheses and quotes only; an unbalanced parenthesis keeps the rest as one item.
 */
export function splitTools(written: string): { tools: string[]; unbalanced: boolean } {
  const tools: string[] = [];
  let item = "";
  let depth = 0;
  let quote = "";
  const flush = () => {
    if (item !== "" && !tools.includes(item)) tools.push(item);
    item = "";
  };
  for (const character of written) {
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (depth > 0 && (character === '"' || character === "'")) quote = character;
    else if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && (character === "," || /\s/.test(character))) {
      flush();
      continue;
    }
    item += character;
  }
  item = item.trim();
  flush();
  return { tools, unbalanced: depth > 0 || quote !== "" };
}
