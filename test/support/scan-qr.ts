/** Reads a QR code from a terminal's lines, as a phone would. */
import jsqr from "jsqr";

/** Pixels per module. */
const scale = 4;

/**
 * @param lines two modules per character, drawn in half blocks
 * @param ink whether the blocks are dark on a light background, or light on a dark one
 */
export function scanQr(lines: readonly string[], ink: "dark" | "light"): string | undefined {
  const rows = lines.flatMap((line) =>
    ["█▀", "█▄"].map((inked) => Array.from(line, (block) => inked.includes(block) === (ink === "dark"))),
  );
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dark = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? false;
      pixels.fill(dark ? 0 : 255, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsqr.default(pixels, width, height)?.data;
}
