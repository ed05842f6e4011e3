/**
 * The text of a file or a pipe, by its byte order mark, which is taken away. Without one it is UTF-8. PowerShell 5 writes
 * UTF-16 into a redirected file, and Notepad can.
 *
 * @param options `fatal`: what is no text is an error, and not replaced
 * @throws {TypeError} for bytes that are no text, with `fatal`
 */
export function decodeText(bytes: Uint8Array, options: { readonly fatal?: boolean } = {}): string {
  return new TextDecoder(encodingOf(bytes), options).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
