/** Returns the SHA-256 of a text. Node's module is loaded only here, because that takes longer than most commands run. */
export function digestOf(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
