/** `comanda doctor` says what is wrong on this machine, and what to do. */
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import type { Column } from "../../cli/column.js";
import type { Tone } from "../../cli/style.js";
import { endWith, type Command } from "../../cli/command.js";

import { findings } from "./checks.js";
import { crontabLines } from "./crontab.js";
import type { Finding } from "./finding.js";

export function doctor(command: Command): void {
  command
    .about(
      "what is wrong here, and what to do about it",
      "It looks at Node, folders and their rights, the disk, both databases, sessions, the journal, the clock, the " +
        "way to the service, the port of a sign-in, the time zones, and what a crontab needs, as lines to copy. It asks each service once, " +
        "without a credential. It ends with 1 where something has to be done before comanda works.",
    )
    .takes("format")
    .examples("doctor", "doctor --json")
    .does(async (context) => {
      const found = await findings(context);
      const { output } = context;
      await output.records(columns, found);
      if (output.format === "table" && context.host.platform !== "win32") {
        output.line("");
        output.words(t`Lines for a crontab, to be copied:`);
        for (const line of await crontabLines(context)) output.line(line);
      }
      const failures = found.filter(({ status }) => status === "failure").length;
      const message = plural(failures, {
        one: t`1 thing has to be mended.`,
        other: t`${failures} things have to be mended.`,
      });
      const hint = t`What to do stands beside each.`;
      endWith(context, failures === 0 ? undefined : new ComandaError("check_failed", message, { hint }));
    });
}

const tones: Readonly<Record<Finding["status"], Tone>> = { ok: "good", warning: "doubtful", failure: "bad" };

const columns: readonly Column<Finding>[] = [
  { heading: "Check", name: "check", cell: ({ check }) => check },
  {
    heading: "Status",
    name: "status",
    cell: ({ status }) => status,
    isWord: true,
    tone: ({ status }) => tones[status],
  },
  { heading: "Found", name: "message", cell: ({ message }) => message },
  {
    heading: "What to do",
    name: "hint",
    cell: ({ hint }) => hint,
    tableText: ({ hint }) => (hint ?? "").replaceAll("\n", " "),
  },
];
