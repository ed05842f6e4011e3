/** A scheduled command as each scheduler wants it: text that a person installs. Every word is quoted as that one reads it. */
import { capitalized, t } from "../../shared/language.js";
import { cmdText, shellWord, windowsWord } from "../../shared/shell-word.js";

import { calendarEvent, cronFields, later, two, type Timetable } from "./timetable.js";

export const schedulers = ["cron", "systemd", "windows", "kubernetes"] as const;
export type Scheduler = (typeof schedulers)[number];

export interface Job {
  /** Of letters, digits and hyphens: what files and objects are named by. */
  readonly name: string;
  readonly timetable: Timetable;
  /** How comanda is started here: Node and the program. */
  readonly program: readonly string[];
  /** Comanda's own arguments. */
  readonly words: readonly string[];
  /** None of them is a secret. */
  readonly variables: Readonly<Record<string, string>>;
  /** Seconds over which several machines are spread. */
  readonly jitterSeconds: number;
  /** This machine's part of that, drawn when the text is made: for schedulers that draw none. */
  readonly delaySeconds: number;
  /** IANA name of the zone whose clock is meant. */
  readonly timeZone: string;
  /** A day from which on it runs, `2026-11-21`. */
  readonly today: string;
  /** Names of variables that hold secrets here. */
  readonly secrets: readonly string[];
  /** The container's image, for Kubernetes; none is published. */
  readonly image: string | undefined;
}

export const renderers: Readonly<Record<Scheduler, (job: Job) => string>> = {
  cron,
  systemd,
  windows,
  kubernetes,
};

function typed({ words }: Pick<Job, "words">): string {
  return ["comanda", ...words].map(shellWord).join(" ");
}

/**
 * crontab(5): a `%` that isn't escaped ends the command, also inside quotes. How two backslashes are read differs from
 * cron to cron, and one in front of an escaped `%` is lost: so each is made to stand alone, by ending the quotes behind it
 * and beginning new ones. The only ones outside of quotes are those of `'\\''`, which nothing of the kind follows.
 */
function cron(job: Job): string {
  const variables = Object.entries(job.variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  const command = [...variables, ...[...job.program, ...job.words].map(shellWord)].join(" ");
  const delayed = job.delaySeconds > 0 ? `sleep ${job.delaySeconds}; ${command}` : command;
  return [
    t`# ${typed(job)} (by the clock of this machine, ${job.timeZone}). Put it into: crontab -e`,
    `${cronFields(job.timetable)} ${delayed.replaceAll(/\\(?=[\\%])/g, "$&''").replaceAll("%", String.raw`\%`)}`,
    "",
  ].join("\n");
}

/** systemd.service(5): `%` begins a specifier, and `$` a variable, each of which is doubled. */
function systemd(job: Job): string {
  const quoted = (text: string) =>
    `"${text
      .replaceAll(/["\\]/g, String.raw`\$&`)
      .replaceAll("%", "%%")
      .replaceAll("$", "$$$$")}"`;
  const variables = Object.entries(job.variables).map(
    ([name, value]) =>
      `Environment="${name}=${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("%", "%%")}"`,
  );
  const unit = `comanda-${job.name}`;
  return [
    `# ~/.config/systemd/user/${unit}.service`,
    "[Unit]",
    `Description=${typed(job).replaceAll("%", "%%")}`,
    "After=network-online.target",
    "",
    "[Service]",
    "Type=oneshot",
    ...variables,
    `ExecStart=${[...job.program, ...job.words].map(quoted).join(" ")}`,
    "",
    t`# ${`~/.config/systemd/user/${unit}.timer`}; then: systemctl --user enable --now ${unit}.timer`,
    "[Unit]",
    `Description=${typed(job).replaceAll("%", "%%")}`,
    "",
    "[Timer]",
    `OnCalendar=${calendarEvent(job.timetable)}`,
    ...(job.jitterSeconds > 0 ? [`RandomizedDelaySec=${job.jitterSeconds}`] : []),
    // A machine that was off then makes up for it when it is on again.
    "Persistent=true",
    "",
    "[Install]",
    "WantedBy=timers.target",
    "",
  ].join("\n");
}

/** A task of the Task Scheduler's: `schtasks /create /tn <name> /xml <file>`. */
function windows(job: Job): string {
  const { timetable, jitterSeconds } = job;
  const time = `${two(timetable.kind === "hourly" ? 0 : timetable.hour)}:${two(timetable.minute)}`;
  const { command, args } = execOf(job);
  const delay = jitterSeconds > 0 ? [`      <RandomDelay>PT${jitterSeconds}S</RandomDelay>`] : [];
  return [
    // UTF-8, or UTF-16 where PowerShell 5 writes the file: its byte order mark says which.
    '<?xml version="1.0"?>',
    // Two hyphens would end the comment.
    ...(job.name.includes("--")
      ? []
      : [
          t`<!-- Save it as comanda-${job.name}.xml; then: schtasks /create /tn comanda-${job.name} /xml comanda-${job.name}.xml -->`,
        ]),
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <Triggers>",
    "    <CalendarTrigger>",
    ...(timetable.kind === "hourly"
      ? ["      <Repetition><Interval>PT1H</Interval><Duration>P1D</Duration></Repetition>"]
      : []),
    `      <StartBoundary>${job.today}T${time}:00</StartBoundary>`,
    ...delay,
    ...(timetable.kind === "weekly"
      ? [
          `      <ScheduleByWeek><DaysOfWeek><${capitalized(timetable.weekday)} /></DaysOfWeek><WeeksInterval>1</WeeksInterval></ScheduleByWeek>`,
        ]
      : ["      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>"]),
    "    </CalendarTrigger>",
    "  </Triggers>",
    "  <Settings><StartWhenAvailable>true</StartWhenAvailable><MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy></Settings>",
    "  <Actions>",
    `    <Exec><Command>${xml(command)}</Command><Arguments>${xml(args)}</Arguments></Exec>`,
    "  </Actions>",
    "</Task>",
    "",
  ].join("\n");
}

/** The scheduler gives a task no variables of its own: where some are needed, cmd sets them first. */
function execOf({ program, words, variables }: Job): { readonly command: string; readonly args: string } {
  const [command = "", ...rest] = program;
  const own = [...rest, ...words].map(windowsWord).join(" ");
  const set = Object.entries(variables).map(([name, value]) => `set ${cmdText(`"${name}=${value}"`)}&& `);
  if (set.length === 0) return { command, args: own };
  const line = [cmdText(command), ...[...rest, ...words].map((word) => cmdText(windowsWord(word)))].join(" ");
  return { command: "cmd.exe", args: `/d /s /c "${set.join("")}${line}"` };
}

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
}

/** batch/v1. A text of JSON is one of YAML too. */
function kubernetes(job: Job): string {
  // A container is signed in at no store.
  const url = "COMANDA_BASE_URL" in job.variables ? [] : ["COMANDA_BASE_URL"];
  const secrets = [...url, ...(job.secrets.length > 0 ? job.secrets : ["COMANDA_ACCESS_TOKEN"])];
  const text = (value: string) => JSON.stringify(value);
  const variables = Object.entries(job.variables).flatMap(([name, value]) => [
    `                - name: ${name}`,
    `                  value: ${text(value)}`,
  ]);
  return [
    "apiVersion: batch/v1",
    "kind: CronJob",
    "metadata:",
    `  name: comanda-${job.name}`,
    "spec:",
    `  schedule: ${text(cronFields(later(job.timetable, Math.floor(job.delaySeconds / 60))))}`,
    `  timeZone: ${text(job.timeZone)}`,
    "  concurrencyPolicy: Forbid",
    "  jobTemplate:",
    "    spec:",
    "      # What was sent may have been done: nothing is sent again by itself.",
    "      backoffLimit: 0",
    "      template:",
    "        spec:",
    "          restartPolicy: Never",
    "          containers:",
    "            - name: comanda",
    ...(job.image === undefined
      ? [
          "              # No image of comanda is published: build one, push it, and name it here (--image).",
          '              image: "registry.example/REPLACE-ME/comanda"',
        ]
      : [`              image: ${text(job.image)}`]),
    `              args: [${job.words.map(text).join(", ")}]`,
    ...(variables.length > 0 ? ["              env:", ...variables] : []),
    "              envFrom:",
    "                - secretRef:",
    "                    # COMANDA_API_KEY is enough for orders; a token ends after hours and isn't renewed here.",
    `                    # kubectl create secret generic comanda ${secrets.map((name) => `--from-literal=${name}=…`).join(" ")}`,
    "                    name: comanda",
    "              securityContext:",
    "                readOnlyRootFilesystem: true",
    "                runAsNonRoot: true",
    "                allowPrivilegeEscalation: false",
    "",
  ].join("\n");
}
