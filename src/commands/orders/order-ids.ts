/** Reads order ids, which are digits, and refuses slips before anything is sent. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Context } from "../../cli/context.js";
import { decodeText, pipedInput, readBytes } from "../input.js";

/** No list of orders is longer; a wrong file is refused before it fills the memory. */
const maxListBytes = 64 * 1024 * 1024;

/** Distinct ids in the order in which they were typed; `stdin` is read when the command runs. */
export type OrderIds = readonly string[] | "stdin";

/**
 * @param words the arguments, each with or without a `#` before it; `-` alone stands for ids on stdin
 * @throws {ComandaError} `invalid_input` that names the first argument that can't be an id
 */
export function parseOrderIds(words: readonly string[]): OrderIds {
  if (!words.includes("-")) {
    return [
      ...new Set(
        words.map((word, index) => checkId(word.trim().replace(/^#/, ""), t`argument ${index + 1}`)),
      ),
    ];
  }
  if (words.length === 1) return "stdin";
  throw new ComandaError("usage", t`Give either order ids or "-" for ids on stdin, not both.`, {
    hint: t`For example: comanda orders dispatch 4711 4712, or comanda orders dispatch - < ids.txt`,
  });
}

/**
 * Reads an id a line from stdin, and skips blank lines and `#` comments.
 *
 * @param warn gets a warning of comments that look like a typed order, and of a list that may have been cut off: half an id
 *   may be another order's
 * @returns distinct ids in the order of the list
 * @throws {ComandaError} `invalid_input` that names the first line that can't be an id; nothing has been sent by then
 */
export async function readOrderIds(
  context: Pick<Context, "stdin" | "signal">,
  warn: (text: string) => void,
): Promise<string[]> {
  const list = pipedInput(context, t`Pipe the ids in, one a line: comanda orders dispatch - < ids.txt`);
  const text = decodeText(await readBytes(list, maxListBytes));
  const numberComment = /^[ \t]*(#[ \t]?\d+)[ \t]*\r?$/m.exec(text)?.[1];
  if (numberComment !== undefined)
    warn(
      t`A line such as "${numberComment}" is a comment, so it is skipped. An id in a list has no # before it.`,
    );
  const ids = idsIn(text);
  if (ids.length > 1 && !text.endsWith("\n"))
    warn(
      t`The list ends in the middle of a line, so it may have been cut off. See whether its last id is whole.`,
    );
  if (ids.length > 0) return ids;
  throw new ComandaError("invalid_input", t`There is no order id on stdin.`, {
    hint: t`Give one id a line; blank lines and lines that begin with # are skipped.`,
  });
}

/** Lines are made one at a time, so that a long list isn't in memory as text, as lines and as ids at once. */
function idsIn(text: string): string[] {
  const ids = new Set<string>();
  let number = 0;
  for (let from = 0; from <= text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? undefined : end).trim();
    if (line !== "" && !line.startsWith("#")) ids.add(checkId(line, t`line ${number + 1}`));
    from = end < 0 ? text.length + 1 : end + 1;
  }
  return [...ids];
}

function checkId(id: string, where: string): string {
  if (/^\d+$/.test(id)) return id;
  throw new ComandaError(
    "invalid_input",
    id === ""
      ? t`An order id (${where}) is empty; nothing was sent.`
      : t`An order id (${where}) is digits alone, not "${id.slice(0, 60)}"; nothing was sent.`,
    { hint: t`Give several as separate arguments, or one a line on stdin.` },
  );
}
