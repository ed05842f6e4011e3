import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Command } from "../command.js";

export const clear: Command<
  { readonly before: string },
  { readonly removed: number; readonly kept: number }
> = {
  description: {
    usage: "clear",
    summary: "forget what this machine did before a day",
    description:
      "The journal is kept by months, and a month is forgotten as a whole: one in which something was sent since stays, " +
      "and so does one that a process may still be writing to: with a run that goes on, or a write of the last hour whose " +
      "outcome is not known. Months of more than two years ago are forgotten of themselves.",
    options: [
      {
        flags: "--before <moment>",
        description: "today or an earlier day, a date-time with offset, or how long ago",
        required: true,
      },
    ],
    examples: ["history clear --before 2026-01-01"],
  },
  parse(line) {
    const before = line.text("--before");
    if (before === undefined) throw new ComandaError("usage", t`--before is missing.`);
    return { before };
  },
  async run(machine, { before }) {
    const now = machine.context.clock.now();
    const moment = await machine.moment("--before", before, undefined);
    if (moment > now) {
      throw new ComandaError("usage", t`--before ${before} lies in the future.`, {
        hint: t`Nothing was removed. Give today or an earlier day, a date-time that is over, or how long ago: --before 90d`,
      });
    }
    const { clearHistory } = await machine.historyClearing();
    const { unlessSent } = await machine.journalRuns();
    const { folder } = await machine.state();
    return clearHistory(folder, moment, (runs, work) => unlessSent(folder, runs, work));
  },
  present({ removed, kept }, output) {
    if (kept > 0) output.notice(t`What belongs to a run that a process is sending now was kept.`);
    if (output.json) output.value({ removed });
    else output.sentence(removed === 1 ? t`1 file was removed.` : t`${removed} files were removed.`);
  },
};
