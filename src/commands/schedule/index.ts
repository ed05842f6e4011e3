/** `comanda schedule print`: a command as cron and its like want it. It installs nothing. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Command, CommandGroup } from "../command.js";
import { parseDuration } from "../durations.js";
import { refuseUnknown, type HelpPages } from "../help.js";
import type { Machine } from "../machine.js";

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

interface Scheduled {
  readonly text: string;
  /** Variables that are set here and are not printed. */
  readonly secrets: readonly string[];
  /** Does the scheduled command print its result, which cron sends as a mail? */
  readonly isMailed: boolean;
  /** Variables that the scheduler's form has no place for. */
  readonly left: readonly string[];
}

/** They ask a person, or don't end. */
const attended: readonly string[] = ["login", "demo", "help", "schedule", "live", "completion", "emulator"];

export function scheduleGroup(pages: HelpPages): CommandGroup {
  return {
    name: "schedule",
    summary: "lines for cron and other schedulers, which you install",
    members: [print(pages)],
  };
}

export function print(pages: HelpPages): Command<ScheduleOptions, Scheduled> {
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
      refuseUnknown(pages, words.slice(0, commandLength(pages, words)));
      const [first = ""] = words;
      if (attended.includes(first)) {
        throw new ComandaError("usage", t`"comanda ${first}" needs a person, or doesn't end by itself.`, {
          hint: t`Schedule a command that does its work alone: summary, grouped, report, sync, orders.`,
        });
      }
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
        jitterMs: parseDuration("--jitter", line.text("--jitter") ?? "0", { ms: 3_600_000, text: "an hour" }),
        name,
        image: line.text("--image"),
        words,
      };
    },
    run(machine, options) {
      const scheduler = options.as ?? (machine.context.host.platform === "win32" ? "windows" : "cron");
      const { variables, secrets } = variablesOf(machine);
      const job = jobOf(machine, options, variables);
      return Promise.resolve({
        text: renderers[scheduler](job),
        secrets,
        left: scheduler === "windows" ? Object.keys(variables) : [],
        isMailed:
          scheduler === "cron" &&
          !options.words.some((word) => /^(-o|--out(put)?|--append|--alert)(=|$)/.test(word)),
      });
    },
    present({ text, secrets, isMailed, left }, output) {
      output.text(text);
      if (secrets.length > 0) {
        output.notice(
          t`Not printed, since they are secrets: ${secrets.join(", ")}. Give them to the scheduler by its own means.`,
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

/** The words that name the command: `orders dispatch`. */
function commandLength(pages: HelpPages, words: readonly string[]): number {
  let length = 1;
  while (pages.names(words.slice(0, length)).length > 0 && /^[a-z]/.test(words[length] ?? "")) length += 1;
  return length;
}

function jobOf(
  { context }: Machine,
  { timetable, jitterMs, name, image, words }: ScheduleOptions,
  variables: Readonly<Record<string, string>>,
): Job {
  const jitterSeconds = Math.round(jitterMs / 1_000);
  return {
    name:
      name ??
      words
        .filter((word) => /^[a-z]+$/.test(word))
        .slice(0, 1)
        .join(""),
    timetable,
    program: context.self,
    words: unattended(words),
    variables,
    jitterSeconds,
    delaySeconds: Math.floor(context.system.random.fraction() * jitterSeconds),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    today: new Date(context.clock.now()).toISOString().slice(0, 10),
    image: image ?? `comanda:${context.version}`,
  };
}

/** Nobody looks on, and nobody can be asked. Options stand before a `--` that ends them. */
function unattended(words: readonly string[]): readonly string[] {
  const added = ["--quiet", "--no-input"].filter((flag) => !words.includes(flag));
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...added] : [...words.slice(0, end), ...added, ...words.slice(end)];
}

/** What a scheduler's bare environment lacks. */
const carried = /^(COMANDA_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/;
const secret = /^COMANDA_(ACCESS_TOKEN|API_KEY|PARTNER_KEY)$/;

function variablesOf({ context: { env } }: Machine): {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
} {
  const set = Object.entries(env).flatMap(([name, value]) =>
    value && carried.test(name) ? [[name, value] as const] : [],
  );
  // A proxy's address may hold a password.
  const isSecret = ([name, value]: readonly [string, string]) =>
    secret.test(name) || (/proxy$/i.test(name) && value.includes("@"));
  return {
    variables: Object.fromEntries(set.filter((one) => !isSecret(one))),
    secrets: set.filter(isSecret).map(([name]) => name),
  };
}
