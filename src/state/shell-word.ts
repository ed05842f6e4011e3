/**
 * Writes one word as a person would type it in a POSIX shell, so that a command in a hint can be pasted whatever it
 * holds.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Writes the command lines in a text as people type them on this system: what stands in single quotes is in double
 * ones on Windows. cmd knows no others, so that `'total>=50'` would be written to a file there; PowerShell knows
 * both. A word that holds a double quote itself stays as it is, since the two agree on no way to write that.
 */
export function withSystemQuotes(text: string, platform: string): string {
  if (platform !== "win32") return text;
  return text.replaceAll(/(?<=^|[\s(=])'([^'"\n]*)'(?=$|[\s,.;:)])/gm, '"$1"');
}
