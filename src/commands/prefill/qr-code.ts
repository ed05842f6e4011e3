/** A link as a QR code (ISO/IEC 18004): for the terminal, as SVG, as PNG. */
import qrcode from "qrcode";

/** The light frame that readers need, in modules. Where there is no room for it, half of it does. */
const quietZone = 4;
const narrowQuietZone = 2;

/**
 * Two modules a character, one above the other.
 *
 * @param colors black on white by colour codes; else in the terminal's own colours, taken to be light on dark
 * @param room columns of the terminal
 * @returns no text where the room isn't enough for the width
 * @throws {Error} where the text is longer than a code can hold
 */
export function qrText(
  link: string,
  colors: boolean,
  room = Number.POSITIVE_INFINITY,
): { text: string | undefined; width: number } {
  const { modules } = qrcode.create(link, { errorCorrectionLevel: "L" });
  const frame = modules.size + 2 * quietZone <= room ? quietZone : narrowQuietZone;
  const width = modules.size + 2 * frame;
  if (width > room) return { text: undefined, width };
  const isDark = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && row < modules.size && column < modules.size && modules.get(row, column) === 1;
  const lines: string[] = [];
  for (let row = -frame; row < modules.size + frame; row += 2) {
    let line = "";
    for (let column = -frame; column < modules.size + frame; column += 1) {
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)];
      // With colours the ink is what is dark; without, what is light.
      line += blocks[`${upper === colors}${lower === colors}`];
    }
    lines.push(colors ? `\u001b[38;5;16;48;5;231m${line}\u001b[0m` : line);
  }
  return { text: `${lines.join("\n")}\n`, width };
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
