/**
 * Text of any code points. fast-check's own `unit: "binary"` first builds a table of all 1.1 million code points, which costs a
 * second of CPU in each file that uses it.
 */
import fc from "fast-check";

const surrogates = { first: 0xd800, last: 0xdfff };
const codePoint = fc.oneof(
  // This range contains every character that a terminal acts on, which would otherwise rarely be drawn.
  fc.integer({ min: 0, max: 0x20_ff }),
  fc.integer({ min: 0, max: surrogates.first - 1 }),
  fc.integer({ min: surrogates.last + 1, max: 0x10_ff_ff }),
);
// The unmapper lets fast-check mix in dangerous strings such as "__proto__" and "toString".
const character = codePoint.map(
  (point) => String.fromCodePoint(point),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error("not one character");
    return point;
  },
);

export function anyText(options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...options });
}
