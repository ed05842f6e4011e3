/** `comanda schedule print` writes a command as a line of a crontab, and installs nothing. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { shellWord } from "../../shared/shell-word.js";
import type { Command, CommandGroup } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import { parseDuration } from "../../toolkit/durations.js";
import type { Machine } from "../../toolkit/machine.js";
import { scheduledVariables, type ScheduledVariable } from "./variables.js";

import { cronCommand, cronFields } from "./crontab.js";
import { readPeriod } from "../../sales/preferences.js";

export interface ScheduleOptions {
  /** The five fields of a crontab. */
  readonly fields: string;
  readonly jitterMs: number;
  /** Comanda's own arguments. */
  readonly words: readonly string[];
}

export interface TypedLine {
  /** The words that name its command: `orders dispatch`. */
  readonly command: string;
  readonly line: CommandLine;
}

/**
 * Reads a command line without running it.
 *
 * @throws {ComandaError} as the typed line would be refused
 */
export type ReadLine = (words: readonly string[]) => Promise<TypedLine>;

interface ScheduledJob {
  readonly text: string;
  /** Variables that are set here and are not printed. */
  readonly secrets: readonly string[];
  /** Does the scheduled command print its result, which cron sends as a mail? */
  readonly isMailed: boolean;
}

const oneHour = { ms: 3_600_000, text: () => t`an hour` };

/** These commands ask a person, or don't end by themselves. */
const attendedCommands: readonly string[] = [
  "login",
  "demo",
  "help",
  "schedule",
  "live",
  "completion",
  "emulator",
];

export function scheduleGroup(read: ReadLine): CommandGroup {
  return {
    name: "schedule",
    summary: "lines for a crontab, which you install",
    members: [print(read)],
  };
}

export function print(read: ReadLine): Command<ScheduleOptions, ScheduledJob> {
  return {
    description: {
      usage: "print <command...>",
      summary: "a command as a line of a crontab",
      description:
        "It prints the full path of this comanda, the variables that are set here, and the command with --quiet and " +
        "--no-input; it installs nothing. Secrets are never printed. Options of its own stand before the command; -- " +
        "between the two does no harm. For systemd, Windows and Kubernetes: comanda help schedulers.",
      runsProgram: true,
      options: [
        { flags: "--hourly <minute>", description: "every hour, at this minute" },
        { flags: "--daily <time>", description: "every day: 06:15" },
        { flags: "--weekly <day@time>", description: "every week: monday@06:15" },
        {
          flags: "--jitter <duration>",
          description: "spread several machines over this time, so that they don't all ask at once",
          default: "0",
        },
      ],
      examples: [
        "schedule print --daily 06:15 -- summary --period yesterday --json",
        "schedule print --weekly monday@07:00 --jitter 5m -- report --period last-week --out week.html",
      ],
    },
    parse(line) {
      const { words } = line;
      refuseWithoutStdin(words);
      return {
        fields: cronFields({
          hourly: line.text("--hourly"),
          daily: line.text("--daily"),
          weekly: line.text("--weekly"),
        }),
        jitterMs: parseDuration("--jitter", line.text("--jitter") ?? "0", oneHour),
        words,
      };
    },
    async run(machine, { fields, jitterMs, words }) {
      const { context } = machine;
      if (context.host.platform === "win32") {
        throw new ComandaError("usage", t`Windows has no cron.`, {
          hint: t`See how a task is made there: comanda help schedulers`,
        });
      }
      const { command, line } = await read(words);
      refuseAttended(command);
      await refuseWrongPeriod(machine, line);
      const variables = scheduledVariables(context.env);
      refuseControls(variables);
      const publicVariables = variables.filter(({ isSecret }) => !isSecret);
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      const commandText = ["comanda", ...words].map(shellWord).join(" ");
      const job = cronCommand([...context.self, ...withUnattendedFlags(words)], {
        variables: new Map(publicVariables.map(({ name, value }) => [name, value])),
        delaySeconds: Math.floor((context.system.random.fraction() * jitterMs) / 1_000),
      });
      return {
        text: `${t`# ${commandText} (by the clock of this machine, ${timeZone}). Put it into: crontab -e`}\n${fields} ${job}\n`,
        secrets: variables.filter(({ isSecret }) => isSecret).map(({ name }) => name),
        isMailed: !words.some((word) => /^(-o|--out(put)?|--append|--alert)(=|$)/.test(word)),
      };
    },
    present({ text, secrets, isMailed }, output) {
      output.text(text);
      if (secrets.length > 0) {
        output.notice(
          t`Not printed, since they are secrets: ${secrets.join(", ")}. Give them to the scheduler by its own means.`,
        );
      }
      if (isMailed) output.notice(t`cron sends what a command prints as a mail. > FILE keeps it in a file.`);
    },
  };
}

/** @throws {ComandaError} `usage` for words that a crontab's line can't hold, or that read from stdin */
function refuseWithoutStdin(words: readonly string[]): void {
  if (words.some((word) => control.test(word))) {
    throw new ComandaError(
      "usage",
      t`An argument has a line break or another control character, and a scheduled command is one line.`,
      {
        hint: t`Put the command into a script, and let the scheduler run that.`,
      },
    );
  }
  const reads = words.some(
    (word, index) => word === "-" && !/^(-o|--out(put)?)$/.test(words[index - 1] ?? ""),
  );
  if (reads) {
    throw new ComandaError("usage", t`"-" reads a list from stdin, and a scheduler gives a command none.`, {
      hint: t`Name a file where the command takes one, or schedule a script: comanda … - < list.txt`,
    });
  }
}

/** A line break would end the line of the crontab, and begin another. */
const control = /(?!\t)\p{Cc}/u;

/**
 * Secrets aren't checked, since they are never printed.
 *
 * @throws {ComandaError} `configuration` for a variable that a crontab's line can't hold
 */
function refuseControls(variables: readonly ScheduledVariable[]): void {
  const unprintable = variables.find(({ value, isSecret }) => !isSecret && control.test(value));
  if (unprintable === undefined) return;
  throw new ComandaError(
    "configuration",
    t`${unprintable.name} has a line break or another control character, and a scheduled command is one line.`,
    { hint: t`Correct it, or unset it.` },
  );
}

/** A command reads its period only when it runs, so a wrong one is told here. */
async function refuseWrongPeriod(machine: Machine, line: CommandLine): Promise<void> {
  const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
  if ([period, from, to].every((edge) => edge === undefined)) return;
  const request = { period, from, to };
  await readPeriod(machine, request, { store: line.globals.stores[0] ?? "", zone: line.text("--tz") });
}

function refuseAttended(command: string): void {
  const [first = ""] = command.split(" ");
  if (!attendedCommands.includes(first)) return;
  throw new ComandaError("usage", t`"comanda ${first}" needs a person, or doesn't end by itself.`, {
    hint: t`Schedule a command that does its work alone: summary, grouped, report, sync, orders.`,
  });
}

/** Under cron nobody reads notices or can be asked. Options have to stand before a `--`. */
function withUnattendedFlags(words: readonly string[]): readonly string[] {
  const flags = ["--quiet", "--no-input"].filter((flag) => !words.includes(flag));
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)];
}
