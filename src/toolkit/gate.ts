/** Puts protection, journal and debug output around every call of a command. */
import type { CallObserver } from "../client/call/observer.js";
import { isSafe } from "../client/http/transport.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { openGate } from "../state/gate.js";
import { openJournal, type Journal } from "../state/journal/journal.js";

import { confirmCancelAt, type Confirmation } from "./confirmation.js";
import { actorOf } from "./context.js";
import type { Machine } from "./machine.js";
import type { State } from "./state.js";
import type { Target } from "./target.js";

export interface GateOptions {
  /** The store that `--confirm` names. */
  readonly confirm?: string | undefined;
  /** Writes are sent without a line in the journal. */
  readonly noJournal?: boolean;
  /** A probe changes nothing, so the journal needs no line of it. */
  readonly isProbe?: boolean;
  /** A further observer of the calls. */
  readonly watch?: CallObserver;
}

export interface CommandGate {
  readonly observer: CallObserver;
  /** Absent where writes have no line in it. */
  readonly journal: Journal | undefined;
  /**
   * Asks once for all orders of the command.
   *
   * @param subject what is canceled: `order 4711`, `12 orders`
   * @throws {ComandaError} as `confirmAlias`
   */
  readonly confirmCancel: (subject: string) => Promise<Confirmation>;
}

export function openCommandGate(
  machine: Machine,
  { state, target }: { readonly state: State; readonly target: Target },
  { confirm, noJournal = false, isProbe = false, watch }: GateOptions = {},
): CommandGate {
  let answer: Promise<Confirmation> | undefined;
  const confirmCancel = (subject: string) => (answer ??= confirmCancelAt(machine, target, confirm, subject));
  const { store, environment } = target;
  const journal =
    noJournal || isProbe
      ? undefined
      : openJournal({
          state: state.folder,
          place: { store: store ?? null, environment },
          actor: actorOf(machine.context),
          folderMayLack: store === undefined,
          wayOut: t`Nothing was sent. A single one is sent all the same with --no-journal, and then \`comanda history\` doesn't show it.`,
        });
  const observer = openGate({
    async beforeCancel({ order }) {
      if ((await confirmCancel(order === null ? t`the order` : t`order ${order}`)) === "declined")
        throw new ComandaError("usage", t`That is not the store's alias. Nothing was sent.`);
    },
    owner: target,
    figures: target.figures && { data: state.data, store: target.label },
    journal,
    others: [
      watch,
      noJournal ? noJournalNotice(machine) : undefined,
      machine.debug && debugObserver(machine.debug),
    ],
  });
  return { observer, journal, confirmCancel };
}

/** Says before the first write goes out that it is in no journal. */
function noJournalNotice({ output }: Machine): CallObserver {
  let isTold = false;
  return {
    sends(call) {
      if (isTold || isSafe(call)) return;
      isTold = true;
      output.notice(
        t`This is not in the journal (--no-journal): should its answer be lost, nothing here tells that it was sent.`,
      );
    },
  };
}

function debugObserver(debug: (message: string) => void): CallObserver {
  return {
    attempted({ method, url }, { attempt, ms, httpStatus, failure }) {
      debug(
        t`${method} ${url} (attempt ${attempt}): ${httpStatus ?? failure ?? "?"} in ${Math.round(ms)} ms`,
      );
    },
  };
}
