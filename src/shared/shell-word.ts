/** One word as a person would type it in a POSIX shell, so that a command in a hint can be pasted whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** One word as Windows hands it to a program (CommandLineToArgvW): backslashes count only before a quote. */
export function windowsWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text;
  const escaped = text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replaceAll(/\\+$/g, "$&$&");
  return `"${escaped}"`;
}

/** Words as they stand behind `cmd /d /s /c`: nothing in them is a variable, a redirection or a second command. */
export function cmdText(text: string): string {
  return text.replaceAll(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}
