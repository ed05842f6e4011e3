/** Draws the link of an order as a QR code (ISO/IEC 18004): on the terminal, as SVG or as PNG. */
import path from "node:path";

import { statIfThere } from "../../shared/disk.js";
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { System } from "../../shared/system.js";
import { writeWhole } from "../../shared/whole-file.js";
import { wantsColors } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";

export interface QrTarget {
  readonly file: string;
  readonly type: "svg" | "png";
}

/** @throws {ComandaError} `usage` for another kind of file */
export function qrTarget(file: string): QrTarget {
  const type = path.extname(file).slice(1).toLowerCase();
  if (type === "svg" || type === "png") return { file, type };
  throw new ComandaError("usage", t`--qr-file takes a file that ends with .svg or .png, not "${file}".`, {
    hint: t`For example: --qr-file order.svg`,
  });
}

/**
 * Checks the file before any call, since an order without its code would be half of the task.
 *
 * @throws {ComandaError} `invalid_input` where no file can be written
 */
export function checkQrTarget({ disk }: System, { file }: QrTarget): void {
  const folder = path.dirname(path.resolve(file));
  try {
    disk.accessFolder(folder);
    if (statIfThere(disk, file)?.isFile() !== false) return;
  } catch {
    // It is told below.
  }
  throw new ComandaError("invalid_input", t`No file ${file} can be written; nothing was sent.`, {
    hint: t`Give --qr-file a path in a folder that is there and yours.`,
  });
}

/** The code is a result, so it goes to stdout, unless stdout carries data for a program. */
export async function drawQr(machine: Machine, link: string): Promise<void> {
  const { context, output, settings } = machine;
  if (output.plain) {
    output.notice(t`This terminal can't show a QR code: --qr-file order.png writes it to a file.`);
    return;
  }
  const stream = output.format === "table" ? context.stdout : context.stderr;
  const isColored = wantsColors(stream, context.env, settings.color);
  const { text, width } = await orTooLong(qrText(link, isColored, stream.columns));
  if (text !== undefined) stream.write(text);
  else
    output.warn(
      t`The QR code needs ${width} columns, and the terminal has ${stream.columns ?? 0}: --qr-file order.png writes it to a file.`,
    );
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

/** The file is written as a whole or not at all. */
export async function writeQr({ context }: Machine, { file, type }: QrTarget, link: string): Promise<void> {
  const data = await orTooLong(qrFile(link, type));
  try {
    writeWhole(context, file, data);
  } catch (error) {
    const code = systemErrorCode(error);
    const reason = code === undefined ? "" : ` (${code})`;
    throw new ComandaError("invalid_input", t`The QR code can't be written to ${file}${reason}.`, {
      hint: t`The pre-filled order is made; its links are above.`,
    });
  }
}

/** @throws {Error} where the text is longer than a code can hold */
export async function qrFile(link: string, type: QrTarget["type"]): Promise<string | Uint8Array> {
  const { default: qrcode } = await import("qrcode");
  return type === "svg"
    ? qrcode.toString(link, { type, margin: quietZone })
    : qrcode.toBuffer(link, { type, margin: quietZone, scale: 8 });
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
