/** A link as a QR code (ISO/IEC 18004): for the terminal, as SVG, as PNG. */
import qrcode from "qrcode";

/** The light frame that readers need, in modules. */
const quietZone = 4;

/**
 * Two modules a character, one above the other.
 *
 * @param colors black on white by colour codes; else in the terminal's own colours, taken to be light on dark
 * @throws {Error} where the text is longer than a code can hold
 */
export function qrText(link: string, colors: boolean): { text: string; width: number } {
  const { modules } = qrcode.create(link, { errorCorrectionLevel: "L" });
  const isDark = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && row < modules.size && column < modules.size && modules.get(row, column) === 1;
  const lines: string[] = [];
  for (let row = -quietZone; row < modules.size + quietZone; row += 2) {
    let line = "";
    for (let column = -quietZone; column < modules.size + quietZone; column += 1) {
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)];
      // With colours the ink is what is dark; without, what is light.
      line += blocks[`${upper === colors}${lower === colors}`];
    }
    lines.push(colors ? `\u001b[38;5;16;48;5;231m${line}\u001b[0m` : line);
  }
  return { text: `${lines.join("\n")}\n`, width: modules.size + 2 * quietZone };
}

/** A block by whether its upper and its lower half are inked. */
const blocks = { truetrue: "█", truefalse: "▀", falsetrue: "▄", falsefalse: " " } as const;

export type QrFileType = "svg" | "png";

/** @throws {Error} where the text is longer than a code can hold */
export async function qrFile(link: string, type: QrFileType): Promise<string | Uint8Array> {
  return type === "svg"
    ? qrcode.toString(link, { type, margin: quietZone })
    : qrcode.toBuffer(link, { type, margin: quietZone, scale: 8 });
}
