/** What a task's process is started with, and which orders it is about. */
import type { Task } from "./plan.js";
import type { Line } from "./world.js";

/** @param index the task's place in the plan: no two tasks have an order in common */
export function ordersOf(task: Task, index: number): readonly string[] {
  const length =
    task.kind === "many" ? task.orders : ["one", "assign", "prefill"].includes(task.kind) ? 1 : 0;
  return Array.from({ length }, (_, place) => String((index + 1) * 100 + place));
}

/** @param index the task's place in the plan */
export function lineOf(task: Task, orders: readonly string[], index: number): Line {
  return { argv: wordsOf(task, orders, index), stdin: isPiped(task) ? `${orders.join("\n")}\n` : "" };
}

/** The same line once more, for whatever the first has left. */
export function resumed({ argv, stdin }: Line): Line {
  return { argv: [...argv, "--resume"], stdin };
}

/**
 * The last command of every world: is the sign-in still there?
 *
 * @param stores whose sessions lie on the disk; the one that was there at first, if it is alone, needn't be named
 */
export function lastLine(stores: readonly string[]): Line {
  const named = stores[0] !== undefined && stores.join() !== aliases[0] ? ["--store", stores[0]] : [];
  return { argv: ["orders", "finalize", "999", "--json", "--auth", "bearer", ...named], stdin: "" };
}

/** What the store may be called, and which file its session has then. */
export const aliases = ["centro", "norte"] as const;
export const sessionFile = (alias: string) => `sessions/s-${alias}.json`;

function isPiped(task: Task): boolean {
  return task.kind === "many" && task.from === "stdin";
}

const figures =
  "/api/partner/v1/orders/summary?start_date=2026-11-01T00%3A00%3A00Z&end_date=2026-11-02T00%3A00%3A00Z";

/** What a task writes into the settings: where, and what is there then. */
export function settingOf(
  { change }: Task & { readonly kind: "settings" },
  index: number,
): { readonly words: readonly string[]; readonly path: readonly string[]; readonly value: unknown } {
  const url = `https://e${index}.example`;
  const addresses = ["--base-url", url, "--auth-url", `${url}/authorize`, "--client-id", "comanda"];
  switch (change) {
    case "env set":
      return {
        words: [`e${index}`, ...addresses],
        path: ["environments", `e${index}`, "base_url"],
        value: url,
      };
    case "config set":
      return { words: ["language", "en"], path: ["language"], value: "en" };
    case "stores set":
      return {
        words: ["centro", "--day-starts", "04:00"],
        path: ["stores", "centro", "day_starts"],
        value: "04:00",
      };
    case "stores use":
      return { words: ["centro"], path: ["default_store"], value: "centro" };
    case "stores protect":
      return { words: ["centro"], path: ["stores", "centro", "protected"], value: true };
  }
}

function wordsOf(task: Task, orders: readonly string[], index: number): readonly string[] {
  switch (task.kind) {
    case "settings":
      return [...task.change.split(" "), ...settingOf(task, index).words];
    case "again":
      throw new Error("its line is the first task's");
    case "login":
      return ["login", "--store", "centro", "--env", "local", "--no-browser"];
    case "rename":
      return ["stores", "rename", ...aliases];
    case "logout":
      return ["logout", "--store", "centro", "--json"];
    case "figures":
      return ["api", "GET", figures];
    case "assign":
      return ["driver", "assign", ...orders, "7", "--json"];
    case "prefill":
      // The service tells one from another by the customer's name.
      return ["prefill", "--order-type", "takeout", "--customer-name", ...orders, "--item", "3001", "--json"];
    default: {
      const ids = isPiped(task) ? ["-"] : orders;
      return ["orders", task.verb, ...ids, "--json", ...(task.verb === "cancel" ? ["--yes"] : [])];
    }
  }
}
