/** Completes a line at Tab with the ids that this machine has seen, and with names of drivers. */
import { driversNamed } from "../driver/by-name.js";

export interface Known {
  /** Ids of orders, the newest first. */
  readonly orders: readonly string[];
  readonly drivers: readonly { readonly id: number; readonly name: string }[];
}

export interface Completed {
  readonly line: string;
  /** The possible words where there are several. */
  readonly candidates: readonly string[];
}

export function completeLine(line: string, { orders, drivers }: Known): Completed {
  const [, before = "", word = ""] = /^(\s*(?:[defc]\s+)?)(\S*)$/i.exec(line) ?? [];
  if (line === before + word) return completed(before, ordersLike(orders, word), word);
  const [, head = "", name = ""] = /^(\s*(?:[def]\s+)?\S+\s+)(.*)$/i.exec(line) ?? [];
  const names = name === "" ? drivers : driversNamed(drivers, name);
  return head === ""
    ? { line, candidates: [] }
    : completed(
        head,
        names.map((driver) => driver.name),
        name,
      );
}

/** An id is found by its beginning, or else by its end, which a person remembers of a long number. */
function ordersLike(orders: readonly string[], word: string): readonly string[] {
  const begin = orders.filter((order) => order.startsWith(word));
  return begin.length > 0 ? begin : orders.filter((order) => order.endsWith(word));
}

function completed(before: string, candidates: readonly string[], word: string): Completed {
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { line: `${before}${only} `, candidates: [] };
  const common = commonStart(candidates);
  return {
    line: before + (common.length > word.length && common.startsWith(word) ? common : word),
    candidates,
  };
}

function commonStart([first = "", ...others]: readonly string[]): string {
  let start = first;
  while (!others.every((other) => other.startsWith(start))) start = start.slice(0, -1);
  return start;
}
