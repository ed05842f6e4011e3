/** Puts the QR code of a link on the terminal or into a file. */
import path from "node:path";

import { statIfThere } from "../../shared/disk.js";
import { t } from "../../shared/language.js";
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import type { System } from "../../shared/system.js";
import { writeWhole } from "../../shared/whole-file.js";
import type { Machine } from "../../toolkit/machine.js";
import type { QrFileType } from "./qr-code.js";
import { wantsColors } from "../../terminal/index.js";

export interface QrTarget {
  readonly file: string;
  readonly type: QrFileType;
}

/** @throws {ComandaError} `usage` for another kind of file */
export function qrTarget(file: string): QrTarget {
  const type = path.extname(file).slice(1).toLowerCase();
  if (type !== "svg" && type !== "png") {
    throw new ComandaError("usage", t`--qr-file takes a file that ends with .svg or .png, not "${file}".`, {
      hint: t`For example: --qr-file order.svg`,
    });
  }
  return { file, type };
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
  } catch {
    throw new ComandaError("invalid_input", t`No file can be written in ${folder}; nothing was sent.`, {
      hint: t`Give --qr-file a path in a folder that is there and yours.`,
    });
  }
  const before = statIfThere(disk, file);
  if (before && !before.isFile()) {
    throw new ComandaError("invalid_input", t`${file} isn't a file that can be replaced; nothing was sent.`, {
      hint: t`Give --qr-file another path.`,
    });
  }
}

/** The code is a result, so it goes to stdout, unless stdout carries data for a program. */
export async function drawQr(machine: Machine, link: string): Promise<void> {
  const { context, output } = machine;
  if (output.plain) {
    output.notice(
      t`A QR code is a picture, which --plain leaves out: --qr-file order.png writes it to a file.`,
    );
    return;
  }
  const { qrText } = await import("./qr-code.js");
  const stream = output.format === "table" ? context.stdout : context.stderr;
  const { text, width } = await orTooLong(() =>
    qrText(link, wantsColors(stream, context.env, machine.settings.color), stream.columns),
  );
  if (text !== undefined) stream.write(text);
  else
    output.warn(
      t`The QR code needs ${width} columns, and the terminal has ${stream.columns ?? 0}: --qr-file order.png writes it to a file.`,
    );
}

/** The file is written as a whole or not at all. */
export async function writeQr(machine: Machine, { file, type }: QrTarget, link: string): Promise<void> {
  const { qrFile } = await import("./qr-code.js");
  const data = await orTooLong(() => qrFile(link, type));
  try {
    writeWhole(machine.context, file, data);
  } catch (error) {
    const code = systemErrorCode(error);
    const reason = code === undefined ? "" : ` (${code})`;
    throw new ComandaError("invalid_input", t`The QR code can't be written to ${file}${reason}.`, {
      hint: t`The pre-filled order is made; its links are above.`,
    });
  }
}

async function orTooLong<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch {
    throw new ComandaError("unexpected_answer", t`The service's link is too long for a QR code.`, {
      hint: t`The pre-filled order is made; its links are above.`,
    });
  }
}
