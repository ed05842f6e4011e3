/** The program starts here: one command line, from its words to its exit code. Only the file of the command that it names is loaded. */
import { CommanderError } from "commander";

import { suggestion } from "../api/basics.js";
import { ComandaError } from "../client/errors.js";
import { t, useLanguage, type Language } from "../languages/language.js";

import { addGlobalOptions, Command, Exit } from "./command.js";
import { createOutput, type ProcessContext } from "./context.js";
import { openProcess } from "./process.js";

declare const __VERSION__: string;

/** What a command is for, and what puts onto it what it takes and does. */
const commands = {
  login: [
    "sign in at a store, or store its API key",
    async () => (await import("../commands/login.js")).login,
  ],
  orders: ["change the status of orders", async () => (await import("../commands/orders/index.js")).orders],
  driver: [
    "assign the drivers of delivery orders",
    async () => (await import("../commands/driver.js")).driver,
  ],
  counter: [
    "one prompt for an evening: orders go out, arrive, are closed or canceled",
    async () => (await import("../commands/counter.js")).counter,
  ],
  prefill: [
    "make a pre-filled order, which opens in the store's digital menu",
    async () => (await import("../commands/prefill/index.js")).prefill,
  ],
  history: [
    "what this machine sent: who did what to which order, and what came of it",
    async () => (await import("../commands/history.js")).history,
  ],
  summary: [
    "orders, revenue and average order value of a period",
    async () => (await import("../commands/summary.js")).summary,
  ],
  grouped: [
    "the figures of a period, split by one dimension",
    async () => (await import("../commands/grouped.js")).grouped,
  ],
  report: [
    "a period at a glance, as one HTML file with pictures",
    async () => (await import("../commands/report.js")).report,
  ],
  sync: [
    "ask the last days again, keep them as rows for SQL, and tell what has changed",
    async () => (await import("../commands/sync.js")).sync,
  ],
  status: [
    "is the store signed in? A gate for scripts by its exit code",
    async () => (await import("../commands/status.js")).status,
  ],
  stores: ["the stores that this machine knows", async () => (await import("../commands/stores.js")).stores],
  logout: [
    "revoke a store's tokens at the service, then forget them and its keys",
    async () => (await import("../commands/logout.js")).logout,
  ],
  env: [
    "the environments of the service that this machine knows",
    async () => (await import("../commands/env.js")).environments,
  ],
  doctor: [
    "what is wrong here, and what to do about it",
    async () => (await import("../commands/doctor.js")).doctor,
  ],
  completion: [
    "completion by Tab, for bash, zsh, fish and PowerShell",
    async () => (await import("../commands/completion.js")).completion,
  ],
  help: ["help on a command or a topic", async () => (await import("../commands/help.js")).help],
  api: [
    "any call to the service, signed with the store's credentials",
    async () => (await import("../commands/api.js")).api,
  ],
  openapi: [
    "print the API's description as an OpenAPI 3.1 document",
    async () => (await import("../commands/openapi.js")).openApi,
  ],
  emulator: [
    "the whole service on this machine, to try things on",
    async () => (await import("../commands/emulator.js")).emulator,
  ],
  demo: [
    "a guided tour on the emulator; it leaves nothing behind",
    async () => (await import("../commands/demo.js")).demo,
  ],
} satisfies Record<string, readonly [summary: string, load: () => Promise<(command: Command) => void>]>;

/** The order of the help. */
const groups: Readonly<Record<string, readonly (keyof typeof commands)[]>> = {
  "On an evening:": ["login", "orders", "driver", "counter", "prefill", "history"],
  "Figures:": ["summary", "grouped", "report", "sync"],
  "Stores:": ["status", "stores", "logout", "env"],
  "This machine:": ["doctor", "completion", "help"],
  "Builders:": ["demo", "emulator", "api", "openapi"],
};

/** Never rejects: every failure is told on stderr and ends in `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const { context, outputFault } = openProcess(__VERSION__);
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (fault) => {
      void reportError(fault, argv, context).then((exitCode) => process.exit(exitCode));
    });
  }
  const exitCode = await runLine(context, argv);
  // A signal may have set it by now.
  if (exitCode !== 0) process.exitCode = exitCode;
  const fault = outputFault();
  if (fault === undefined) return;
  (await errorOutput(argv, context)).error(fault);
  process.exitCode ??= fault.exitCode;
}

/** @returns the exit code; every failure has been told on stderr */
export async function runLine(context: ProcessContext, argv: readonly string[]): Promise<number> {
  await useLanguage(chooseLanguage(argv, context));
  try {
    const program = await createProgram(context, argv);
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    return reportError(error, argv, context);
  }
}

/**
 * Makes the tree of commands. A command that the line doesn't name is there as a name, to be suggested.
 *
 * @param argv without it, the tree has all commands
 */
export async function createProgram(context: ProcessContext, argv: readonly string[] = []): Promise<Command> {
  const { stdout, stderr } = context;
  const program = new Command("comanda", context)
    .version(context.version, "-V, --version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Errors are told by the one renderer, not by commander.
      outputError: () => undefined,
    });
  program.addHelpOption(program.createOption("-h, --help").hideHelp());
  // Commander would show the help of the whole where the word before --help is no command.
  program.on("beforeHelp", () => {
    const [word = "-"] = program.args;
    if (!word.startsWith("-"))
      program.error(`error: unknown command '${word}'`, { code: "commander.unknownCommand" });
  });
  addGlobalOptions(program);
  const isWhole = argv.length === 0 || argv[0] === "help";
  for (const [group, names] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const name of names) {
      const [summary, load] = commands[name];
      const command = program.command(name).about(summary);
      if (isWhole || argv.includes(name)) (await load())(command);
    }
  }
  if (argv[0] === "complete") {
    const { complete } = await import("../commands/completion.js");
    complete(program.command("complete", { hidden: true }), (words) => createProgram(context, words));
  }
  return program;
}

/** A program that reads JSON or CSV reads the errors beside it, too. People have the first that is set. */
export function chooseLanguage(
  argv: readonly string[],
  { env, host }: Pick<ProcessContext, "env" | "host">,
): Language {
  if (/ --(?:json|format[= ](?:json|csv)) /.test(typedLine(argv))) return "en";
  // Windows has no locale in the environment.
  const system = host.platform === "win32" ? new Intl.DateTimeFormat().resolvedOptions().locale : "";
  const tags = [env["COMANDA_LANG"], env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]];
  return /^pt(?![a-z])/i.test(tags.find(Boolean) ?? system) ? "pt-BR" : "en";
}

/** The words that are comanda's own, read without the parser: the line may be what is wrong. */
function typedLine(argv: readonly string[]): string {
  return ` ${argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined).join(" ")} `;
}

async function reportError(
  thrown: unknown,
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  if (thrown instanceof Exit) return thrown.exitCode;
  const error = toComandaError(thrown, context.signal.aborted ? context.signal.reason : undefined);
  if (error === undefined) return 0;
  const { code, exitCode } = error;
  // An output that can't be written is told by `main`, after everything else.
  if (code === "output_closed" || code === "output_failed") return exitCode;
  const output = await errorOutput(argv, context);
  // A person who pressed Ctrl-C needs no message, but a script that reads JSON does.
  if (output.json || (code !== "interrupted" && code !== "terminated")) output.error(error);
  // The stack alone: an error's `cause` may carry a code or a token.
  const isOwnFault = thrown instanceof Error && !(thrown instanceof ComandaError);
  if (isOwnFault && argv.includes("--debug")) context.stderr.write(`${thrown.stack ?? ""}\n`);
  return exitCode;
}

async function errorOutput(argv: readonly string[], context: ProcessContext) {
  const line = typedLine(argv);
  return createOutput(context, {
    format: / --(?:json|format[= ]json) /.test(line) ? "json" : "table",
    quiet: false,
    color: line.includes(" --no-color ") ? "never" : "auto",
  });
}

/**
 * @param interruption the signal's reason, if there was a signal
 * @returns `undefined` where nothing is wrong: commander throws after a help text, too
 */
export function toComandaError(thrown: unknown, interruption?: unknown): ComandaError | undefined {
  if (thrown instanceof ComandaError) return thrown;
  if (interruption instanceof ComandaError) return interruption;
  if (thrown instanceof CommanderError) return fromCommander(thrown);
  const words = thrown instanceof Error ? thrown.message.replace(/\.$/, "") : String(thrown);
  return new ComandaError("internal", t`comanda has a fault: ${words}.`, {
    hint: t`Run the same command with --debug to see where, and report it.`,
    cause: thrown,
  });
}

function fromCommander({ code, exitCode, message }: CommanderError): ComandaError | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help")
    return new ComandaError("usage", t`A subcommand is missing.`, { hint: t`The help above lists them.` });
  const [text = "", near] = message.replace(/^error: /, "").split(/\n\(Did you mean (?:one of )?(.*)\?\)$/s);
  const [sentence, hint = t`Add --help to see what the command takes.`] = wordsFor(text);
  return new ComandaError("usage", sentence, { hint: near === undefined ? hint : t`Did you mean ${near}?` });
}

/** commander's sentences in the reader's language. */
const sentences: readonly (readonly [
  RegExp,
  (...words: string[]) => readonly [sentence: string, hint?: string],
])[] = [
  [
    /^unknown command '(.*)'$/s,
    (word) => [t`There is no command "${word}".`, t`comanda --help lists the commands.`],
  ],
  [/^unknown option '([^=]*)(?:=.*)?'$/s, (flag) => [t`There is no option ${flag}.`]],
  [/^missing required argument '(.*)'$/s, (name) => [t`The argument <${name}> is missing.`]],
  [/^required option '(.*)' not specified$/, (flags) => [t`The option ${flags} is missing.`]],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/s,
    (command, most, given) => [t`Too many arguments for "${command}": ${given} in place of ${most}.`],
  ],
  [
    /^option '(?:-\w, )?(\S+) (\S+)' argument missing$/,
    (flag, value) => [t`The value of ${flag} is missing.`, t`Write ${flag} ${value}.`],
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s,
    (value, name, choices) => [t`${`<${name}>`} can't be "${value}".`, t`It takes ${choices}.`],
  ],
  [
    /^option '(?:-\w, )?(\S+) \S+' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
    (flag, value, choices) => [
      t`${flag} can't be "${value}".${suggestion(value, choices.split(", "))}`,
      t`It takes ${choices}.`,
    ],
  ],
];

function wordsFor(text: string): readonly [sentence: string, hint?: string] {
  for (const [pattern, tell] of sentences) {
    const match = pattern.exec(text);
    if (match) return tell(...match.slice(1));
  }
  return [text];
}
