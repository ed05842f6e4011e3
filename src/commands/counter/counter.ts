/** The counter reads typed lines, lets their changes wait for an undo, and has them sent. */
import { steadyNow } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";
import { Output, plainStyle } from "../../terminal/index.js";
import { aliasQuestion } from "../../toolkit/confirmation.js";
import { createMachine, type Machine } from "../../toolkit/machine.js";
import { reasonText } from "../../toolkit/outcomes.js";
import { driverOfName, readDrivers } from "../driver/by-name.js";
import type { OrderOutcome } from "../orders/outcomes.js";

import type { CompletionData } from "./complete-line.js";
import { parseLine, type TypedChange } from "./line.js";
import { changeText, type Message } from "./picture.js";
import {
  dueEntries,
  isUnderWay,
  nextDue,
  withoutWaiting,
  withChange,
  withStage,
  type Change,
  type Entries,
  type Entry,
} from "./queue.js";
import { readJournalOrders } from "./seen.js";
import { sendChange } from "./send.js";

/** The store at whose counter a person stands. */
export interface CounterPlace {
  /** The alias; absent for a store that environment variables name. */
  readonly store: string | undefined;
  /** The alias, or else the host's name. */
  readonly label: string;
  readonly environment: string;
  readonly isProtected: boolean;
}

export interface CounterOptions extends CounterPlace {
  /** A change waits so long for an undo before it goes out. */
  readonly undoMs: number;
  /** The store that `--confirm` names. */
  readonly confirm: string | undefined;
  /** Is a person there who can be asked for a protected store's alias? */
  readonly canAsk: boolean;
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

export class Counter {
  readonly #machine: Machine;
  readonly #options: CounterOptions;
  readonly #events: CounterEvents;
  readonly #gone = new AbortController();
  #entries: Entries = [];
  #known: CompletionData = { orders: [], drivers: [] };
  /** A cancel at a protected store waits for its alias. */
  #asked: Change | undefined;
  #isTicking = false;
  #idle: (() => void)[] = [];

  private constructor(machine: Machine, options: CounterOptions, events: CounterEvents) {
    this.#machine = machine;
    this.#options = options;
    this.#events = events;
  }

  static async open(machine: Machine, options: CounterOptions, events: CounterEvents): Promise<Counter> {
    const counter = new Counter(
      silentMachine(machine, (text) => events.say({ text })),
      options,
      events,
    );
    const { orders, entries } = await readJournalOrders(machine, options.store);
    counter.#entries = entries;
    counter.#known = { orders, drivers: await readDrivers(machine, options.label) };
    return counter;
  }

  get entries(): Entries {
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
        case "take back":
          this.#takeBack();
          return { kind: "taken" };
        case "which":
          this.#events.say({
            text: t`What is to become of order ${parsed.order}? d dispatch, e deliver, f finalize, c cancel, or a driver.`,
          });
          return { kind: "unclear", line: `${parsed.order} ` };
        case "change":
          this.#wait(await this.#changeOf(parsed));
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
    this.#gone.abort();
    return this.#removeWaiting();
  }

  /** Resolves when no change waits or is on its way. */
  async idle(): Promise<void> {
    if (isUnderWay(this.#entries)) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Waiting changes are taken back when the program is suspended, since nobody could take them back then. */
  setAside(): void {
    if (this.#removeWaiting().length > 0)
      this.#events.say({ text: t`Taken back, since the counter was set aside.` });
  }

  async #changeOf({ order, action, driver, fee, reason }: TypedChange): Promise<Change> {
    const { label } = this.#options;
    if (driver === undefined) return { order, action: action ?? "assign", reason };
    const id = /^\d{1,15}$/.test(driver) ? Number(driver) : await this.#driverNamed(driver);
    const name = (await readDrivers(this.#machine, label)).find((known) => known.id === id)?.name;
    return { order, action: action ?? "assign", driver: { id, name, fee }, reason };
  }

  /** The service is asked where no name is known, but never waited for, since a person types on. */
  async #driverNamed(name: string): Promise<number> {
    const { store, label } = this.#options;
    const { openConnection } = await import("../../toolkit/connection.js");
    const connection = await openConnection(this.#machine, { store, singleAttempt: true });
    try {
      return await driverOfName(this.#machine, label, name, connection.client);
    } finally {
      await connection.close();
    }
  }

  #wait(change: Change): void {
    const { isProtected, confirm, canAsk, undoMs } = this.#options;
    this.#known = {
      ...this.#known,
      orders: [change.order, ...this.#known.orders.filter((order) => order !== change.order)],
    };
    const confirmed = change.confirm ?? confirm;
    if (change.action === "cancel" && isProtected && canAsk && confirmed === undefined) {
      this.#asked = change;
      this.#events.say({
        text: aliasQuestion(this.#options, t`order ${change.order}`),
        tone: "doubtful",
      });
      return;
    }
    const until = steadyNow(this.#machine.context.clock) + undoMs;
    this.#entries = withChange(this.#entries, { ...change, confirm: confirmed }, until);
    this.#events.redraw();
    void this.#tick();
  }

  #answer(change: Change, line: string): LineResult {
    this.#asked = undefined;
    if (line.trim() === this.#options.label) this.#wait({ ...change, confirm: this.#options.label });
    else this.#events.say({ text: t`That is not the store's alias. Nothing was sent.`, tone: "bad" });
    return { kind: "taken" };
  }

  #takeBack(): void {
    const changes = this.#removeWaiting();
    const text =
      changes.length === 0
        ? t`Nothing waits: what was typed has gone out.`
        : t`Taken back: ${changeList(changes)}.`;
    this.#events.say({ text, tone: changes.length === 0 ? "doubtful" : "good" });
  }

  #removeWaiting(): readonly Change[] {
    const { waitingChanges, entries } = withoutWaiting(this.#entries);
    this.#entries = entries;
    this.#changed();
    return waitingChanges;
  }

  /** Sends the changes that are due, and sleeps until others are. */
  async #tick(): Promise<void> {
    const { clock } = this.#machine.context;
    this.#sendDue();
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      for (;;) {
        const next = nextDue(this.#entries, steadyNow(clock));
        if (next === undefined) return;
        await clock.sleep(next - steadyNow(clock), this.#gone.signal);
        this.#sendDue();
      }
    } catch (error) {
      if (!this.#gone.signal.aborted) throw error;
    } finally {
      this.#isTicking = false;
    }
  }

  #sendDue(): void {
    if (this.#gone.signal.aborted) return;
    for (const entry of dueEntries(this.#entries, steadyNow(this.#machine.context.clock)))
      void this.#send(entry);
  }

  async #send({ number, change }: Entry): Promise<void> {
    const { clock } = this.#machine.context;
    this.#entries = withStage(this.#entries, number, { kind: "sending" });
    this.#changed();
    const outcomes = await sendChange(this.#machine, this.#options.store, change);
    const outcome = outcomes.find((candidate) => candidate.outcome !== "done") ?? outcomes.at(-1);
    if (!outcome) throw new RangeError("a change has an outcome");
    this.#entries = withStage(this.#entries, number, { kind: "settled", at: clock.now(), outcome });
    for (const result of outcomes) this.#events.onSettled(result);
    this.#changed();
    this.#sendDue();
  }

  #changed(): void {
    this.#events.redraw();
    if (isUnderWay(this.#entries)) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** `dispatch 4711, cancel 4712`. */
export function changeList(changes: readonly Change[]): string {
  return changes.map((change) => changeText({ change })).join(", ");
}

/** The counter ended before these changes were sent. */
export function notSentText(changes: readonly Change[]): string {
  return plural(changes.length, {
    one: t`This had not gone out yet, and is not sent: ${changeList(changes)}.`,
    other: t`These had not gone out yet, and are not sent: ${changeList(changes)}.`,
  });
}

export function outcomeText(outcome: OrderOutcome): string {
  const { action, order_id: order } = outcome;
  if (outcome.outcome !== "done")
    return t`Order ${order}, ${translated(action)}: ${translated(outcome.outcome)}. ${reasonText(outcome)}`;
  if (action === "assign") return t`Order ${order}: the driver is assigned.`;
  return t`Order ${order} ${translated(doneWords[action])}.`;
}

const doneWords = {
  ...{ dispatch: "dispatched", deliver: "delivered", finalize: "finalized", cancel: "canceled" },
} as const;

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
