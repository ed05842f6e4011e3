/**
 * Gives the seven characters that stand for an English text in a built catalogue: FNV-1a with 32 bits, over the text's UTF-16
 * units (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). The build ends where two texts share them.
 */
export function textDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, "0");
}
