import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import type { Command } from "../../toolkit/command.js";

export const clear: Command<
  { readonly before: string },
  { readonly removed: number; readonly kept: number }
> = {
  description: {
    usage: "clear",
    summary: "forget what this machine did before a day",
    description:
      "A run is forgotten as a whole, once nothing of it was sent since. What a process may still be writing to stays: a run " +
      "that goes on, or a write of the last hour that has no answer. Nothing is forgotten of itself.",
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
    const { readMoment } = await import("./moments.js");
    const moment = await readMoment(machine, "--before", before, undefined);
    if (moment > now) {
      throw new ComandaError("usage", t`--before ${before} lies in the future.`, {
        hint: t`Nothing was removed. Give today or an earlier day, a date-time that is over, or how long ago: --before 90d`,
      });
    }
    const { clearHistory } = await import("../../state/journal/clear-history.js");
    return clearHistory(await machine.state(), moment);
  },
  present({ removed, kept }, output) {
    if (kept > 0) output.notice(t`What a process is sending now was kept.`);
    if (output.json) output.value({ removed });
    else
      output.sentence(
        plural(removed, { one: t`1 write was forgotten.`, other: t`${removed} writes were forgotten.` }),
      );
  },
};
