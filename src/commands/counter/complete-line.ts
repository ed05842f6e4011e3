/** Completes a line at Tab with the ids that this machine has seen, and with names of drivers. */
import { driversNamed } from "../driver/by-name.js";

export interface CompletionData {
  /** Ids of orders, the newest first. */
  readonly orders: readonly string[];
  readonly drivers: readonly { readonly id: number; readonly name: string }[];
}

export interface Completion {
  readonly line: string;
  /** The possible words where there are several. */
  readonly candidates: readonly string[];
}

export function completeLine(line: string, { orders, drivers }: CompletionData): Completion {
  const [, before = "", word = ""] = /^(\s*(?:[defc]\s+)?)(\S*)$/i.exec(line) ?? [];
  if (line === before + word) return completeWord(before, ordersLike(orders, word), word);
  const [, head = "", name = ""] = /^(\s*(?:[def]\s+)?\S+\s+)(.*)$/i.exec(line) ?? [];
  const names = name === "" ? drivers : driversNamed(drivers, name);
  return head === ""
    ? { line, candidates: [] }
    : completeWord(
        head,
        names.map((driver) => driver.name),
        name,
      );
}

/** An id is found by its beginning, or else by its end, which a person remembers of a long number. */
function ordersLike(orders: readonly string[], word: string): readonly string[] {
  const byStart = orders.filter((order) => order.startsWith(word));
  return byStart.length > 0 ? byStart : orders.filter((order) => order.endsWith(word));
}

function completeWord(before: string, candidates: readonly string[], word: string): Completion {
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
