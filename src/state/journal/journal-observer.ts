/** Feeds the journal: no write goes out without its line, whichever command, layer or repetition sends it. */
import type { CallObserver } from "../../client/call/observer.js";
import { isSafe } from "../../client/http/transport.js";
import type { CallVerdict } from "../../client/call/outcome.js";
import { describeWrite } from "./describe-write.js";
import type { Journal, JournalRow } from "./journal.js";
import type { AttemptResult } from "./write.js";

/** It serves one client alone, since each client numbers its calls by itself. */
export function journalObserver(journal: Pick<Journal, "row">): CallObserver {
  const rows = new Map<number, JournalRow>();
  return {
    async sends(call) {
      let row = rows.get(call.number);
      if (!row) {
        const write = describeWrite(call);
        if (!write) return;
        row = journal.row(write);
        rows.set(call.number, row);
      }
      await row.sent();
    },
    attempted: ({ number }, { verdict }) => rows.get(number)?.outcome(resultOf(verdict)),
    ended: ({ number }) => void rows.delete(number),
  };
}

function resultOf({ outcome, httpStatus, code, evidence }: CallVerdict): AttemptResult {
  return { outcome, http_status: httpStatus, code, evidence };
}

/** @param onFirstWrite called before the first write goes out */
export function firstWriteObserver(onFirstWrite: () => void): CallObserver {
  let told = false;
  return {
    sends(call) {
      if (told || isSafe(call)) return;
      told = true;
      onFirstWrite();
    },
  };
}
