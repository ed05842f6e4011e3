/** Draws the link of an order as a QR code (ISO/IEC 18004) on the terminal. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { wantsColors } from "../../cli/style.js";
import type { Context } from "../../cli/context.js";

/** The code is a result, so it goes to stdout, unless stdout carries data for a program. */
export async function drawQr(context: Context, link: string): Promise<void> {
  const { output, options } = context;
  if (output.plain) {
    output.notice(t`This terminal can't show a QR code.`);
    return;
  }
  const stream = output.format === "table" ? context.stdout : context.stderr;
  const isColored = wantsColors(stream, context.env, options.color);
  const { text, width } = await orTooLong(qrText(link, isColored, stream.columns));
  if (text !== undefined) stream.write(text);
  else output.warn(t`The QR code needs ${width} columns, and the terminal has ${stream.columns ?? 0}.`);
}

/** Readers need a light frame of so many modules; half of it works, too, where there is little room. */
const quietZone = 4;
const narrowQuietZone = 2;

/**
 * Draws two modules in each character, one above the other.
 *
 * @param isColored draws black on white by colour codes; else the terminal is assumed to be light on dark
 * @param room columns of the terminal
 * @returns no text where the width exceeds the room
 * @throws {Error} where the text is longer than a code can hold
 */
export async function qrText(
  link: string,
  isColored: boolean,
  room = Number.POSITIVE_INFINITY,
): Promise<{ readonly text?: string; readonly width: number }> {
  const { default: qrcode } = await import("qrcode");
  const { size } = qrcode.create(link, { errorCorrectionLevel: "L" }).modules;
  const margin = size + 2 * quietZone <= room ? quietZone : narrowQuietZone;
  const width = size + 2 * margin;
  if (width > room) return { width };
  const picture = await qrcode.toString(link, {
    ...{ type: "utf8", errorCorrectionLevel: "L", margin },
    // With colours the ink is dark; without, it is light.
    ...(!isColored && { color: { dark: "#ffffff", light: "#000000" } }),
  });
  const lines = picture.trimEnd().split("\n");
  const painted = isColored ? lines.map((line) => `\u001b[38;5;16;48;5;231m${line}\u001b[0m`) : lines;
  return { text: `${painted.join("\n")}\n`, width };
}

async function orTooLong<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch {
    throw new ComandaError("unexpected_answer", t`The service's link is too long for a QR code.`, {
      hint: t`The pre-filled order is made; its links are above.`,
    });
  }
}
