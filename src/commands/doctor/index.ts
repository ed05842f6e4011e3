/** `comanda doctor` says what is wrong on this machine, and what to do. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import type { Column, Tone } from "../../terminal/index.js";
import type { Command } from "../../toolkit/command.js";

import { cronEnvironment } from "../schedule/variables.js";

import { findings, missingUnderCron } from "./checks.js";
import type { Finding } from "./finding.js";
import { withVariables } from "../../toolkit/machine.js";

interface DoctorOptions {
  /** Is the machine looked at as cron would find it? */
  readonly asCron: boolean;
}

export const doctor: Command<DoctorOptions, readonly Finding[]> = {
  description: {
    usage: "doctor",
    summary: "what is wrong here, and what to do about it",
    description:
      "It looks at Node, folders and their rights, the disk, both databases, sessions, the journal, the clock, the " +
      "way to the service, the port of a sign-in, and the time zones. It asks each service once, without a credential. It ends with 1 where " +
      "something has to be done before comanda works; with --as-cron also where no store is signed in.",
    options: [{ flags: "--as-cron", description: "look with the environment that cron gives a command" }],
    takes: ["format"],
    examples: ["doctor", "doctor --as-cron", "doctor --json"],
  },
  parse: (line) => ({ asCron: line.flag("--as-cron") }),
  async run(machine, { asCron }) {
    const { env } = machine.context;
    if (!asCron) return findings(machine, false);
    const bare = withVariables(machine, cronEnvironment(env));
    // Missing variables come first, since they may cause the other findings.
    return [...missingUnderCron(env), ...(await findings(bare, true))];
  },
  present: (findings, output) => output.records(columns, findings),
  failure(findings) {
    const failures = findings.filter(({ status }) => status === "failure").length;
    if (failures === 0) return undefined;
    const message = plural(failures, {
      one: t`1 thing has to be mended.`,
      other: t`${failures} things have to be mended.`,
    });
    return new ComandaError("check_failed", message, { hint: t`What to do stands beside each.` });
  },
};

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
