/**
 * This machine sees to these things at every call to a store, whoever makes it: a command, `comanda api`, `live`, or a
 * program with a file session. They are put together here, and nowhere else.
 */
import { together, type CallObserver, type ObservedCall } from "../client/call/observer.js";
import { ownerObserver, type OwnerOptions } from "./journal/fingerprint.js";
import type { Journal } from "./journal/journal.js";
import { journalObserver } from "./journal/journal-observer.js";

export interface GateOptions {
  /**
   * Asked before a call goes out that may cancel an order.
   *
   * @throws {ComandaError} where that isn't confirmed
   */
  readonly beforeCancel: (call: ObservedCall) => void | Promise<void>;
  /** The owner of the orders. Absent in a program that runs for months, where another sign-in may follow. */
  readonly owner?: OwnerOptions;
  /** It is absent where nothing shall be written down. */
  readonly journal: Journal | undefined;
  readonly others?: readonly (CallObserver | undefined)[];
}

/** Each client has a gate of its own. */
export function openGate({ beforeCancel, owner, journal, others = [] }: GateOptions): CallObserver {
  return together([
    { begins: (call) => (call.cancels ? beforeCancel(call) : undefined) },
    owner && ownerObserver(owner),
    ...others,
    // After all that may still refuse: what it has written down as sent goes out.
    journal && journalObserver(journal),
  ]);
}
