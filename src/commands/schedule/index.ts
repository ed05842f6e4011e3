/** `comanda schedule print`: a command as cron and its like want it. It installs nothing. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { localTime } from "../../shared/local-time.js";
import type { Command, CommandGroup } from "../command.js";
import type { CommandLine } from "../command-line.js";
import { parseDuration } from "../durations.js";
import type { Machine } from "../machine.js";
import { scheduledVariables, type ScheduledVariable } from "../scheduled-variables.js";

import { renderers, schedulers, type Job, type Scheduler } from "./schedulers.js";
import { parseTimetable, type Timetable } from "./timetable.js";

export interface ScheduleOptions {
  readonly timetable: Timetable;
  /** Absent for the one of this system. */
  readonly as: Scheduler | undefined;
  readonly jitterMs: number;
  readonly name: string | undefined;
  readonly image: string | undefined;
  /** Comanda's own arguments. */
  readonly words: readonly string[];
}

/** A command line as it was read. */
export interface TypedLine {
  /** The words that name its command: `orders dispatch`. */
  readonly command: string;
  readonly line: CommandLine;
}

/**
 * Reads a command line, and does nothing.
 *
 * @throws {ComandaError} as the line is refused where it is typed
 */
export type ReadLine = (words: readonly string[]) => Promise<TypedLine>;

interface Scheduled {
  readonly text: string;
  /** Variables that are set here and are not printed. */
  readonly secrets: readonly string[];
  /** Variables and arguments that name places on this machine, for a container that hasn't got them. */
  readonly local: readonly string[];
  /** Does the scheduled command print its result, which cron sends as a mail? */
  readonly isMailed: boolean;
  /** Variables that the scheduler's form has no place for. */
  readonly left: readonly string[];
}

const anHour = { ms: 3_600_000, text: () => t`an hour` };

/** They ask a person, or don't end. */
const attended: readonly string[] = ["login", "demo", "help", "schedule", "live", "completion", "emulator"];

export function scheduleGroup(read: ReadLine): CommandGroup {
  return {
    name: "schedule",
    summary: "lines for cron and other schedulers, which you install",
    members: [print(read)],
  };
}

export function print(read: ReadLine): Command<ScheduleOptions, Scheduled> {
  return {
    description: {
      usage: "print <command...>",
      summary: "a command as cron, systemd, Windows or Kubernetes wants it",
      description:
        "It prints the full path of this comanda, the variables that are set here, and the command with --quiet and " +
        "--no-input; it installs nothing. Secrets are never printed. Options of its own stand before the command; -- " +
        "between the two does no harm.",
      runsAnother: true,
      options: [
        { flags: "--hourly <minute>", description: "every hour, at this minute" },
        { flags: "--daily <time>", description: "every day: 06:15" },
        { flags: "--weekly <day@time>", description: "every week: monday@06:15" },
        {
          flags: "--as <scheduler>",
          description: "whose form (default: this system's)",
          choices: schedulers,
        },
        {
          flags: "--jitter <duration>",
          description: "spread several machines over this time, so that they don't all ask at once",
          default: "0",
        },
        { flags: "--name <name>", description: "what the job is called (default: the command's name)" },
        { flags: "--image <image>", description: "the container's image, for kubernetes" },
      ],
      examples: [
        "schedule print --daily 06:15 -- summary --period yesterday --output sales.json --json",
        "schedule print --weekly monday@07:00 --as systemd --jitter 5m -- report --period last-week --out week.html",
      ],
    },
    parse(line) {
      const { words } = line;
      refuseWithoutStdin(words);
      const name = line.text("--name");
      if (name !== undefined && !/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) {
        throw new ComandaError("usage", t`${"--name"} can't be "${name}".`, {
          hint: t`It takes small letters, digits and hyphens, 40 at most.`,
        });
      }
      return {
        timetable: parseTimetable({
          hourly: line.text("--hourly"),
          daily: line.text("--daily"),
          weekly: line.text("--weekly"),
        }),
        as: schedulers.find((one) => one === line.text("--as")),
        jitterMs: parseDuration("--jitter", line.text("--jitter") ?? "0", anHour),
        name,
        image: line.text("--image"),
        words,
      };
    },
    async run(machine, options) {
      const { command, line } = await read(options.words);
      refuseAttended(command);
      await refuseWrongPeriod(machine, line);
      const scheduler = options.as ?? (machine.context.host.platform === "win32" ? "windows" : "cron");
      const variables = scheduledVariables(machine.context.env);
      const inContainer = scheduler === "kubernetes";
      refuseControls(variables);
      const printed = variables.filter(({ isSecret, isLocal }) => !isSecret && !(inContainer && isLocal));
      const secrets = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
      const job = jobOf(machine, options, {
        command,
        secrets,
        variables: Object.fromEntries(printed.map(({ name, value }) => [name, value])),
      });
      return {
        text: renderers[scheduler](job),
        secrets,
        local: inContainer ? placesHere(variables, options.words) : [],
        left: scheduler === "windows" ? Object.keys(job.variables) : [],
        isMailed:
          scheduler === "cron" &&
          !options.words.some((word) => /^(-o|--out(put)?|--append|--alert)(=|$)/.test(word)),
      };
    },
    present({ text, secrets, local, isMailed, left }, output) {
      output.text(text);
      if (secrets.length > 0) {
        output.notice(
          t`Not printed, since they are secrets: ${secrets.join(", ")}. Give them to the scheduler by its own means.`,
        );
      }
      if (local.length > 0) {
        output.warn(
          t`The container has no such place: ${local.join(", ")}. Mount what the command needs, and name it as it is there.`,
        );
      }
      if (left.length > 0) {
        output.notice(
          t`A task of Windows has no variables of its own. Set for the user (setx): ${left.join(", ")}.`,
        );
      }
      if (isMailed)
        output.notice(t`cron sends what a command prints as a mail. --output FILE keeps it in a file.`);
    },
  };
}

/** @throws {ComandaError} `usage` for what no scheduler's line can hold, or none has to read from */
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

/** A line break would end a line of a crontab, and begin another. Of the others, but for a tab, XML can hold none. */
const control = /(?!\t)\p{Cc}|[\ufffe\uffff]/u;

/**
 * A secret is printed nowhere, whatever it holds.
 *
 * @throws {ComandaError} `configuration` for a variable that no scheduler's form can hold
 */
function refuseControls(variables: readonly ScheduledVariable[]): void {
  const refused = variables.find(({ value, isSecret }) => !isSecret && control.test(value));
  if (refused === undefined) return;
  throw new ComandaError(
    "configuration",
    t`${refused.name} has a line break or another control character, and a scheduled command is one line.`,
    { hint: t`Correct it, or unset it.` },
  );
}

/** Commands read their period when they run, in the days of the store. */
async function refuseWrongPeriod(machine: Machine, line: CommandLine): Promise<void> {
  const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
  if ([period, from, to].every((given) => given === undefined)) return;
  const request = { period, from, to, includeToday: line.flag("--include-today") };
  await machine.period(request, { store: line.globals.stores[0] ?? "", zone: line.text("--tz") });
}

/** What names a place on this machine: variables by their name, arguments as they are. */
function placesHere(variables: readonly ScheduledVariable[], words: readonly string[]): readonly string[] {
  return [
    ...variables.filter(({ isLocal }) => isLocal).map(({ name }) => name),
    ...words.filter((word) => /^(-[^=]*=)?(\/|~|\.\.?\/|[A-Za-z]:\\)/.test(word)),
  ];
}

function refuseAttended(command: string): void {
  const [first = ""] = command.split(" ");
  if (!attended.includes(first)) return;
  throw new ComandaError("usage", t`"comanda ${first}" needs a person, or doesn't end by itself.`, {
    hint: t`Schedule a command that does its work alone: summary, grouped, report, sync, orders.`,
  });
}

function jobOf(
  { context }: Machine,
  { timetable, jitterMs, name, image, words }: ScheduleOptions,
  { command, ...more }: Pick<Job, "variables" | "secrets"> & { readonly command: string },
): Job {
  const jitterSeconds = Math.round(jitterMs / 1_000);
  return {
    ...more,
    name: name ?? command.split(" ")[0] ?? "",
    timetable,
    program: context.self,
    words: unattended(words),
    jitterSeconds,
    delaySeconds: Math.floor(context.system.random.fraction() * jitterSeconds),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    today: localTime(context.clock.now()).slice(0, 10),
    image,
  };
}

/** Nobody looks on, and nobody can be asked. Options stand before a `--` that ends them. */
function unattended(words: readonly string[]): readonly string[] {
  const added = ["--quiet", "--no-input"].filter((flag) => !words.includes(flag));
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...added] : [...words.slice(0, end), ...added, ...words.slice(end)];
}
