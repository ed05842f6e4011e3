/** Reads order ids, which are opaque strings, and checks them for slips before anything is sent. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Context } from "../../toolkit/context.js";
import { decodeText, pipedInput, readBytes } from "../../toolkit/input-stream.js";
import { warnIfCut } from "../../toolkit/whole-list.js";

const maxIdLength = 256;
/** No list of orders is longer; a wrong file is refused before it fills the memory. */
const maxListBytes = 64 * 1024 * 1024;

/**
 * After so many ids the engine's young generation has the size that serves the run (2 MiB); the rest of the list would
 * make it grow to twice that and more, for good. V8 takes nothing from the build's cache from then on, which costs 30 ms
 * of the processor's time: little beside the seconds of such a run.
 */
const longList = 12_000;

/** Distinct ids in the order in which they were typed; `stdin` is read when the command runs. */
export type OrderIds = readonly string[] | "stdin";

/**
 * @param words the arguments; `-` alone stands for ids on stdin
 * @throws {ComandaError} `invalid_input` that names the first argument that can't be an id
 */
export function parseOrderIds(words: readonly string[]): OrderIds {
  if (!words.includes("-")) {
    return [...new Set(words.map((id, index) => checkId(id.trim(), () => t`argument ${index + 1}`)))];
  }
  if (words.length === 1) return "stdin";
  throw new ComandaError("usage", t`Give either order ids or "-" for ids on stdin, not both.`, {
    hint: t`For example: comanda orders dispatch 4711 4712, or comanda orders dispatch - < ids.txt`,
  });
}

/**
 * Reads an id a line from stdin, and skips blank lines and `#` comments.
 *
 * @param warn gets a warning of comments that look like an order's number on a receipt, and of a list that may have been
 *   cut off
 * @param expectMany called for a long list, before the rest of it is in memory
 * @returns distinct ids in the order of the list
 * @throws {ComandaError} `invalid_input` that names the first line that can't be an id; nothing has been sent by then
 */
export async function readOrderIds(
  context: Pick<Context, "stdin" | "signal">,
  warn: (text: string) => void,
  expectMany?: () => Promise<void>,
): Promise<string[]> {
  const list = pipedInput(context, t`Pipe the ids in, one a line: comanda orders dispatch - < ids.txt`);
  const text = decodeText(await readBytes(list, maxListBytes));
  const numberComment = /^[ \t]*(#[ \t]?\d+)[ \t]*\r?$/m.exec(text)?.[1];
  if (numberComment !== undefined)
    warn(t`A line such as "${numberComment}" is a comment, so it is skipped. An id has no # before it.`);
  const ids = new Set<string>();
  let isLong = false;
  for (const id of idsIn(text)) {
    ids.add(id);
    if (isLong || ids.size < longList) continue;
    isLong = true;
    await expectMany?.();
  }
  warnIfCut(text, ids.size, warn);
  if (ids.size > 0) return [...ids];
  throw new ComandaError("invalid_input", t`There is no order id on stdin.`, {
    hint: t`Give one id a line; blank lines and lines that begin with # are skipped.`,
  });
}

/** @internal */
export function parseIdList(text: string): string[] {
  return [...new Set(idsIn(text))];
}

/** The ids may repeat. */
function* idsIn(text: string): Iterable<string> {
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    const id = line.trim();
    if (id !== "" && !id.startsWith("#")) yield checkId(id, () => t`line ${number}`);
  }
}

/** Lines are made one at a time, so that a long list isn't in memory as text, as lines and as ids at once. */
function* linesOf(text: string): Iterable<string> {
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
  yield text.slice(from);
}

function checkId(id: string, where: () => string): string {
  const fault = faultOf(id);
  if (fault === undefined) return id;
  throw new ComandaError("invalid_input", t`An order id (${where()}) ${fault}; nothing was sent.`, {
    hint: t`An id has no spaces or commas. Give several as separate arguments, or one a line on stdin.`,
  });
}

function faultOf(id: string): string | undefined {
  if (id === "") return t`is empty`;
  if (id.length > maxIdLength) return t`is longer than ${maxIdLength} characters`;
  if (id === "." || id === "..") return t`can't be "${id}"`;
  // Common ids are tested first, since the engine makes a table of all scripts for the patterns below.
  if (/^[!-+\--:<-~]+$/.test(id)) return undefined;
  if (/[\s,;]/u.test(id)) return t`holds a space, comma or semicolon: "${id.slice(0, 60)}"`;
  if (/\p{C}/u.test(id) || id.includes("\u{fffd}")) return t`holds characters that can't be printed`;
  return undefined;
}
