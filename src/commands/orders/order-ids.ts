/** The ids that a person or a script gives: opaque strings, checked for slips before anything is sent. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Context } from "../../toolkit/context.js";
import { decodeText, readBytes } from "../../toolkit/input-stream.js";
import { warnIfCut } from "../../toolkit/whole-list.js";

const longestId = 256;
/** More than any list of orders; a file given by mistake is found out before it fills the memory. */
const longestList = 64 * 1024 * 1024;

/**
 * Ids. By then the engine's young generation has the size that serves the run to come (2 MiB); the rest of the list alone
 * would make it grow to twice that and more, for good. V8 takes nothing from the build's cache from then on, some 30 ms of
 * the processor's time: little beside the seconds that a run of so many takes.
 */
const longList = 12_000;

/** Those that were typed, each once, in this order; or those that are read when the command runs. */
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
 * Reads ids from stdin, one a line, blank lines and `#` comments skipped.
 *
 * @param warn told of comments that look like the number of an order, as a slip shows it: their order is not changed; and
 *   of a list that may have been cut off
 * @param expectMany called where the list turns out to be long, before the rest of it is in memory
 * @returns each id once, in the order given
 * @throws {ComandaError} `invalid_input` that names the first line that can't be an id; nothing has been sent by then
 */
export async function readOrderIds(
  { stdin, signal }: Pick<Context, "stdin" | "signal">,
  warn: (text: string) => void,
  expectMany?: () => Promise<void>,
): Promise<string[]> {
  if (stdin.isTTY === true) {
    throw new ComandaError("usage", t`"-" reads order ids from stdin, but stdin is a terminal.`, {
      hint: t`Pipe the ids in, one a line: comanda orders dispatch - < ids.txt`,
    });
  }
  const text = decodeText(await readBytes({ stream: stdin, label: "stdin", signal }, longestList));
  const skipped = /^[ \t]*(#[ \t]?\d+)[ \t]*\r?$/m.exec(text)?.[1];
  if (skipped !== undefined)
    warn(t`A line such as "${skipped}" is a comment, so it is skipped. An id has no # before it.`);
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

/** Repeated ones too. */
function* idsIn(text: string): Iterable<string> {
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    const id = line.trim();
    if (id !== "" && !id.startsWith("#")) yield checkId(id, () => t`line ${number}`);
  }
}

/** One at a time: a list of a hundred thousand is in memory once, not as text, as lines and as ids. */
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
  if (id.length > longestId) return t`is longer than ${longestId} characters`;
  if (id === "." || id === "..") return t`can't be "${id}"`;
  // Asked first: the engine makes a table of all scripts for what follows.
  if (/^[!-+\--:<-~]+$/.test(id)) return undefined;
  if (/[\s,;]/u.test(id)) return t`holds a space, comma or semicolon: "${id.slice(0, 60)}"`;
  if (/\p{C}/u.test(id) || id.includes("\u{fffd}")) return t`holds characters that can't be printed`;
  return undefined;
}
