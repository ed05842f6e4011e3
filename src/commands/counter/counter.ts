/** The counter reads typed lines, lets their changes wait for an undo, and has them sent. */
import { steadyNow } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { Output, plainStyle, type Tone } from "../../terminal/index.js";
import { aliasQuestion } from "../../toolkit/confirmation.js";
import type { StoreAddress } from "../../toolkit/choose-store.js";
import { createMachine, type Machine } from "../../toolkit/machine.js";
import { driverOfName, readDrivers } from "../driver/by-name.js";
import type { OrderOutcome } from "../orders/outcomes.js";

import { changeList, sendChange, type Change, type Entry } from "./changes.js";
import { readJournalOrders, type CompletionData } from "./completion.js";
import { parseLine, type TypedChange } from "./line.js";
import { withConnection } from "../../toolkit/with-connection.js";

/** The store at whose counter a person stands. */
export interface CounterStore extends Pick<StoreAddress, "store" | "label" | "environment"> {
  readonly isProtected: boolean;
}

export interface CounterOptions extends CounterStore {
  /** A change waits so long for an undo before it goes out. */
  readonly undoMs: number;
  /** The store that `--confirm` names. */
  readonly confirm: string | undefined;
  /** Is a person there who can be asked for a protected store's alias? */
  readonly canAsk: boolean;
}

export interface Message {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface CounterEvents {
  /** The entries have changed. */
  redraw(): void;
  say(message: Message): void;
  onSettled(outcome: OrderOutcome): void;
}

export type LineResult =
  | { readonly kind: "taken" | "nothing" | "leave" }
  /** The line lacks something, so the person may continue it. */
  | { readonly kind: "unclear"; readonly line: string };

/** So many settled changes are still shown. */
export const mostSettledEntries = 10;

export class Counter {
  readonly #machine: Machine;
  readonly #options: CounterOptions;
  readonly #events: CounterEvents;
  #entries: readonly Entry[] = [];
  #known: CompletionData = { orders: [], drivers: [] };
  /** A cancel at a protected store waits for its alias. */
  #asked: Change | undefined;
  /** Aborted when the waiting changes are taken back. */
  #undo = new AbortController();
  #hasLeft = false;
  /** The last change of each order, since changes of one order go out one after the other. */
  readonly #lastOf = new Map<string, Promise<void>>();

  private constructor(machine: Machine, options: CounterOptions, events: CounterEvents) {
    this.#machine = silentMachine(machine, (text) => events.say({ text }));
    this.#options = options;
    this.#events = events;
  }

  static async open(machine: Machine, options: CounterOptions, events: CounterEvents): Promise<Counter> {
    const counter = new Counter(machine, options, events);
    const { orders, entries } = await readJournalOrders(machine, options.store, mostSettledEntries);
    counter.#entries = entries;
    counter.#known = { orders, drivers: await readDrivers(machine, options.label) };
    return counter;
  }

  /** Entries stand in the order in which they were typed. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get completionData(): CompletionData {
    return this.#known;
  }

  /** Is the next line the answer to a question, rather than a change? */
  get isAsking(): boolean {
    return this.#asked !== undefined;
  }

  async take(line: string): Promise<LineResult> {
    if (this.#asked) return this.#answer(this.#asked, line);
    try {
      const parsed = parseLine(line);
      switch (parsed.kind) {
        case "take back": {
          const changes = this.#takeBack();
          this.#events.say(
            changes.length === 0
              ? { text: t`Nothing waits: what was typed has gone out.`, tone: "doubtful" }
              : { text: t`Taken back: ${changeList(changes)}.`, tone: "good" },
          );
          return { kind: "taken" };
        }
        case "which":
          this.#events.say({
            text: t`What is to become of order ${parsed.order}? d dispatch, e deliver, f finalize, c cancel, or a driver.`,
          });
          return { kind: "unclear", line: `${parsed.order} ` };
        case "change":
          this.#add(await this.#changeOf(parsed));
          return { kind: "taken" };
        default:
          return parsed;
      }
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      this.#events.say({ text: [error.message, error.hint].filter(Boolean).join(" "), tone: "bad" });
      return { kind: "unclear", line };
    }
  }

  /**
   * Lets nothing more go out.
   *
   * @returns the changes that had not gone out
   */
  leave(): readonly Change[] {
    this.#hasLeft = true;
    return this.#takeBack();
  }

  /** Resolves when no change waits or is on its way. */
  async idle(): Promise<void> {
    await Promise.all(this.#lastOf.values());
  }

  /** Waiting changes are taken back when the program is suspended, since nobody could take them back then. */
  setAside(): void {
    if (this.#takeBack().length > 0)
      this.#events.say({ text: t`Taken back, since the counter was set aside.` });
  }

  async #changeOf({ order, action, driver, fee, reason }: TypedChange): Promise<Change> {
    if (driver === undefined) return { order, action, reason };
    const id = /^\d{1,15}$/.test(driver) ? Number(driver) : await this.#driverNamed(driver);
    const drivers = await readDrivers(this.#machine, this.#options.label);
    const name = drivers.find((candidate) => candidate.id === id)?.name;
    return { order, action, driver: { id, name, fee }, reason };
  }

  /** The service is asked where no name is known, but never waited for, since a person types on. */
  async #driverNamed(name: string): Promise<number> {
    const { store, label } = this.#options;
    return withConnection(this.#machine, { store, singleAttempt: true }, ({ client }) =>
      driverOfName(this.#machine, label, name, client),
    );
  }

  #add(change: Change): void {
    const { isProtected, confirm: named, canAsk, undoMs } = this.#options;
    const { order, action, confirm = named } = change;
    if (this.#hasLeft) return;
    const orders = [order, ...this.#known.orders.filter((other) => other !== order)];
    this.#known = { ...this.#known, orders };
    if (action === "cancel" && isProtected && canAsk && confirm === undefined) {
      this.#asked = change;
      this.#events.say({ text: aliasQuestion(this.#options, t`order ${order}`), tone: "doubtful" });
      return;
    }
    const until = steadyNow(this.#machine.context.clock) + undoMs;
    const entry: Entry = { change: { ...change, confirm }, stage: { kind: "waiting", until } };
    this.#entries = [...this.#entries, entry];
    this.#lastOf.set(order, this.#send(entry, this.#lastOf.get(order), this.#undo.signal));
    this.#events.redraw();
  }

  #answer(change: Change, line: string): LineResult {
    const { label } = this.#options;
    this.#asked = undefined;
    if (line.trim() === label) this.#add({ ...change, confirm: label });
    else this.#events.say({ text: t`That is not the store's alias. Nothing was sent.`, tone: "bad" });
    return { kind: "taken" };
  }

  /** Removes the changes that have not gone out. */
  #takeBack(): readonly Change[] {
    const waiting = this.#entries.filter(({ stage }) => stage.kind === "waiting");
    this.#entries = this.#entries.filter((entry) => !waiting.includes(entry));
    this.#undo.abort();
    this.#undo = new AbortController();
    this.#events.redraw();
    return waiting.map(({ change }) => change);
  }

  /** Sends the change when its time for an undo is over, and the earlier change of the same order is settled. */
  async #send(entry: Entry, earlier: Promise<void> | undefined, undo: AbortSignal): Promise<void> {
    const { clock } = this.#machine.context;
    await clock.sleep(this.#options.undoMs, undo).catch(() => undefined);
    await earlier;
    if (undo.aborted) return;
    entry.stage = { kind: "sending" };
    this.#events.redraw();
    const outcomes = await sendChange(this.#machine, this.#options.store, entry.change);
    const outcome = outcomes.find((candidate) => candidate.outcome !== "done") ?? outcomes.at(-1);
    if (!outcome) throw new RangeError("a change has an outcome");
    entry.stage = { kind: "settled", at: clock.now(), outcome };
    const settled = this.#entries.filter(({ stage }) => stage.kind === "settled");
    const dropped = settled.slice(0, Math.max(0, settled.length - mostSettledEntries));
    this.#entries = this.#entries.filter((other) => !dropped.includes(other));
    for (const result of outcomes) this.#events.onSettled(result);
    this.#events.redraw();
  }
}

/** Commands on this machine ask nothing, and their notices go to the counter. */
function silentMachine({ context, settings }: Machine, say: (text: string) => void): Machine {
  const nobody = { write: () => true };
  const notices = { write: (text: string) => say(text.trim()) };
  const output = new Output({
    ...{ stdout: nobody, stderr: notices, format: "table", platform: context.host.platform },
    ...{ quiet: false, plain: true, style: plainStyle, errorStyle: plainStyle },
  });
  return createMachine({ context, settings: { ...settings, input: false }, output });
}
