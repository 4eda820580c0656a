/** Whether a file can hold skills. Beside a SKILL.md any other Markdown is a resource; on its own it may be a skill. */
export function isWanted(path: string, direct: boolean): boolean {
  return /(^|\/)skill\.md$/i.test(path) || isJson(path) || isZip(path) || (direct && /\.md$/i.test(path));
}

export const isJson = (path: string): boolean => /\.json$/i.test(path);
export const isZip = (path: string): boolean => /\.(zip|skill)$/i.test(path);
