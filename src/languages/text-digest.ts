/** The build keys the translations by digests of the English texts, which stand in the code. */

/**
 * Gives the seven characters that stand for a text in a built catalogue. The build ends where two texts share them. It mixes
 * as cyrb53 does (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js, public domain).
 */
export function textDigest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return ((high >>> 0) * 0x10 + ((low >>> 0) & 0xf)).toString(36).padStart(7, "0");
}
