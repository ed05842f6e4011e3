/** Which fault a request gets: the first of the list that matches and is not used up. */
import { operations, type Operation } from "../../../contract/operations.js";
import type { Fault } from "./fault.js";

interface Armed {
  readonly fault: Fault;
  readonly matches: (method: string, path: string) => boolean;
  toSpare: number;
  left: number;
}

export class FaultSwitch {
  #armed: readonly Armed[] = [];

  /** True where nothing can go wrong: the way of nearly every request. */
  get isOff(): boolean {
    return this.#armed.length === 0;
  }

  /** Takes the place of all there were. */
  set(faults: readonly Fault[]): void {
    this.#armed = faults.map((fault) => ({
      fault,
      matches: matcher(fault.match),
      toSpare: fault.after ?? 0,
      left: fault.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Every fault as it stands now: what is used up has `times` 0. */
  list(): readonly (Fault & { readonly remaining: number | null })[] {
    return this.#armed.map(({ fault, left }) => ({
      ...fault,
      remaining: Number.isFinite(left) ? left : null,
    }));
  }

  /** Counts the request against the faults that it matches, up to the one that it gets. */
  take(method: string, path: string): Fault | undefined {
    for (const armed of this.#armed) {
      if (armed.left === 0 || !armed.matches(method, path)) continue;
      if (armed.toSpare > 0) {
        armed.toSpare -= 1;
        continue;
      }
      armed.left -= 1;
      return armed.fault;
    }
    return undefined;
  }
}

function matcher({ method, path, operation }: Fault["match"]): Armed["matches"] {
  const tests: Armed["matches"][] = [];
  if (method !== undefined) tests.push((actual) => actual === method.toUpperCase());
  if (path !== undefined) tests.push(pathTest(path));
  if (operation !== undefined) tests.push(operationTest(operations[operation]));
  return (actualMethod, actualPath) => tests.every((test) => test(actualMethod, actualPath));
}

function pathTest(path: string): Armed["matches"] {
  if (!path.includes("*")) return (_, actual) => actual.includes(path);
  const pattern = new RegExp(`^${path.split("*").map(escapeRegExp).join(".*")}$`);
  return (_, actual) => pattern.test(actual);
}

function operationTest({ method, path }: Operation): Armed["matches"] {
  const pattern = new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(escapeRegExp)
      .join("[^/]+")}$`,
  );
  return (actualMethod, actualPath) => actualMethod === method && pattern.test(actualPath);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
