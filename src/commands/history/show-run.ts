/** `comanda history show` shows one run with the outcome of each order. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { localTime } from "../../shared/local-time.js";
import type { JournalRun } from "../../state/journal/runs.js";
import type { Command } from "../../toolkit/command.js";

import { presentRows, untilAborted, type HistoryPages } from "./rows.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";

interface RunDetails {
  /** Absent for writes of one process that were no run of orders. */
  readonly run: (JournalRun & { readonly unsent: number }) | undefined;
  readonly pages: HistoryPages;
}

export const showRun: Command<{ readonly id: string }, RunDetails> = {
  description: {
    usage: "show <run>",
    summary: "what was sent in one run, and how it is gone on with",
    description: "All of its rows, newest first, as `comanda history` has them.",
    takes: ["format"],
    examples: ["history show 20261121-kzmwqa", "history show 20261121-kzmwqa --json"],
  },
  parse: ({ words }) => ({ id: words[0] ?? "" }),
  async run(machine, { id }) {
    const state = await machine.state();
    const { findShownRun } = await import("../../state/journal/runs.js");
    const { readHistory } = await import("../../state/journal/history.js");
    const { run, hasRows } = await findShownRun(state, id);
    if (!run && !hasRows) {
      throw new ComandaError("invalid_input", t`There is no run ${id} on this machine.`, {
        hint: t`\`comanda history\` shows the runs.`,
      });
    }
    if ((run?.count ?? 0) > 1000) await expectManyCalls();
    return { run, pages: untilAborted(readHistory(state, { run: id }), machine.context.signal) };
  },
  async present({ run, pages }, output) {
    if (run) {
      const { verb, count, unsent, at } = run;
      const place = run.store ?? run.environment;
      output.notice(
        t`Run ${run.id}: orders ${verb} at ${place}, begun ${localTime(Date.parse(at))}, ${count} orders.`,
      );
      if (unsent > 0)
        output.notice(
          plural(unsent, { one: t`1 of them was not sent.`, other: t`${unsent} of them were not sent.` }),
        );
    }
    await presentRows(pages, output);
  },
};
