/**
 * Writes one word as a person would type it in a POSIX shell, so that a command in a hint can be pasted whatever it
 * holds.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
