/** Draws a link as a QR code (ISO/IEC 18004) for the terminal, as SVG or as PNG. */
import qrcode from "qrcode";

/** Readers need a light frame of so many modules; half of it works, too, where there is little room. */
const quietZone = 4;
const narrowQuietZone = 2;

/**
 * Draws two modules in each character, one above the other.
 *
 * @param colors draws black on white by colour codes; else the terminal is assumed to be light on dark
 * @param room columns of the terminal
 * @returns no text where the width exceeds the room
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
      // With colours the ink is dark; without, it is light.
      line += blocks[`${upper === colors}${lower === colors}`];
    }
    lines.push(colors ? `\u001b[38;5;16;48;5;231m${line}\u001b[0m` : line);
  }
  return { text: `${lines.join("\n")}\n`, width };
}

/** The characters by their upper and lower half. */
const blocks = { truetrue: "█", truefalse: "▀", falsetrue: "▄", falsefalse: " " } as const;

export type QrFileType = "svg" | "png";

/** @throws {Error} where the text is longer than a code can hold */
export async function qrFile(link: string, type: QrFileType): Promise<string | Uint8Array> {
  return type === "svg"
    ? qrcode.toString(link, { type, margin: quietZone })
    : qrcode.toBuffer(link, { type, margin: quietZone, scale: 8 });
}
