/** Runs one command line from its arguments to its exit code. Only the file of the command that it names is loaded. */
import { ComandaError } from "../client/errors.js";
import { languages, t, useLanguage, type Language } from "../languages/language.js";
import { withSystemQuotes } from "../state/shell-word.js";
import { narrowHelp } from "./wrap.js";
import type { Output } from "./output.js";

import { chooseLanguage, optionsIn, typedFormats, unknownLanguage } from "./choose-language.js";
import { Command, Exit } from "./command.js";
import { endComandaOptions, refuseUnknownCommand } from "./command-words.js";
import { createOutput, type ProcessContext } from "./context.js";
import { addGlobalOptions } from "./global-options.js";
import { helpText } from "./help.js";
import { createProcessContext } from "./process-context.js";
import { toComandaError } from "./to-comanda-error.js";

declare const __VERSION__: string;

/** Puts onto a command what it takes and does. */
type Define = (command: Command) => void;

/** The commands in the order of the help. */
const commands: readonly (readonly [name: string, summary: string, load: () => Promise<Define>])[] = [
  [
    "login",
    "sign in at a store, or store its API key",
    async () => (await import("../commands/login/index.js")).login,
  ],
  [
    "logout",
    "revoke a store's tokens at the service, then forget them and its keys",
    async () => (await import("../commands/logout.js")).logout,
  ],
  [
    "status",
    "is the store signed in? A gate for scripts by its exit code",
    async () => (await import("../commands/status.js")).status,
  ],
  ["orders", "change the status of orders", async () => (await import("../commands/orders/index.js")).orders],
  [
    "driver",
    "assign the drivers of delivery orders",
    async () => (await import("../commands/driver.js")).driver,
  ],
  [
    "counter",
    "one prompt for an evening: orders go out, arrive, are closed or canceled",
    async () => (await import("../commands/counter.js")).counter,
  ],
  [
    "prefill",
    "make a pre-filled order, which opens in the store's digital menu",
    async () => (await import("../commands/prefill/index.js")).prefill,
  ],
  [
    "summary",
    "orders, revenue and average order value of a period",
    async () => (await import("../commands/summary.js")).summary,
  ],
  [
    "grouped",
    "the figures of a period, split by one dimension",
    async () => (await import("../commands/grouped.js")).grouped,
  ],
  [
    "report",
    "a period at a glance, as one HTML file with pictures",
    async () => (await import("../commands/report.js")).report,
  ],
  [
    "sync",
    "ask the last days again, keep them as rows for SQL, and tell what has changed",
    async () => (await import("../commands/sync.js")).sync,
  ],
  [
    "history",
    "what this machine sent: who did what to which order, and what came of it",
    async () => (await import("../commands/history.js")).history,
  ],
  [
    "api",
    "any call to the service, signed with the store's credentials",
    async () => (await import("../commands/api.js")).api,
  ],
  [
    "stores",
    "the stores that this machine knows",
    async () => (await import("../commands/stores.js")).stores,
  ],
  [
    "doctor",
    "what is wrong here, and what to do about it",
    async () => (await import("../commands/doctor.js")).doctor,
  ],
  [
    "completion",
    "completion by Tab, for bash, zsh, fish and PowerShell",
    async () => (await import("../commands/completion.js")).completion,
  ],
  [
    "env",
    "the environments of the service that this machine knows",
    async () => (await import("../commands/env.js")).environments,
  ],
  [
    "openapi",
    "print the API's description as an OpenAPI 3.1 document",
    async () => (await import("../commands/openapi.js")).openApi,
  ],
  [
    "emulator",
    "the whole service on this machine, to try things on",
    async () => (await import("../commands/emulator.js")).emulator,
  ],
  [
    "demo",
    "a guided tour on the emulator; it leaves nothing behind",
    async () => (await import("../commands/demo.js")).demo,
  ],
  [
    "help",
    "help on a command or a topic; all commands, or the options of all",
    async () => (await import("../commands/help/index.js")).help,
  ],
];

/** Never rejects: every failure is told on stderr and ends in `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const world = createProcessContext(__VERSION__);
  const end = (exitCode: number) => {
    // A signal may have set it by now.
    if (exitCode !== 0) process.exitCode = exitCode;
  };
  world.onFault((fault) => {
    void reportError(fault, argv, world.context)
      .then(end)
      .then(() => process.exit());
  });
  try {
    end(await runLine(world.context, argv));
  } finally {
    world.end();
  }
  const fault = await world.outputFault();
  if (!fault) return;
  (await errorOutput(argv, world.context)).error(fault);
  process.exitCode ??= fault.exitCode;
}

/** @returns the exit code; every failure has been told on stderr */
export async function runLine(context: ProcessContext, words: readonly string[]): Promise<number> {
  let argv = words;
  const language = chooseLanguage(argv, context.env);
  if (argv.length === 0) return showNextStep(context, language);
  if (argv[0] === "complete") {
    const { complete } = await import("./complete.js");
    await useLanguage(language);
    await complete(context, argv.slice(1), (typed) => createProgram(context, typed));
    return 0;
  }
  await useLanguage(language);
  const unknownTag = unknownLanguage(context.env);
  if (unknownTag !== undefined) {
    (await errorOutput(argv, context)).warn(
      t`COMANDA_LANG can't be "${unknownTag}", so it is not heard. It takes ${languages.join(", ")}.`,
    );
  }
  try {
    const program = await createProgram(context, argv);
    refuseUnknownCommand(program, argv);
    argv = endComandaOptions(program, argv);
    await program.parseAsync(argv, { from: "user" });
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
  const { stdout, stderr, host } = context;
  const program = new Command("comanda", context)
    .version(context.version, "-V, --version", "print the version")
    .helpCommand(false)
    .configureHelp({ formatHelp: (command) => (command instanceof Command ? helpText(command) : "") })
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      // Many terminals have 80 columns, and `narrowHelp` lays it out anew for those that have fewer.
      writeOut: (text) =>
        void stdout.write(withSystemQuotes(narrowHelp(text, stdout.columns), host.platform)),
      writeErr: (text) => void stderr.write(text),
      // Errors are told by the one renderer, not by commander.
      outputError: () => undefined,
    });
  addGlobalOptions(program);
  const [first = "", second = ""] = argv;
  const names = commands.map(([name]) => name);
  const isOverview = argv.length === 0 || (first === "help" && !names.includes(second));
  for (const [name, summary, load] of commands) {
    const command = program.command(name).about(summary);
    if (isOverview || argv.includes(name)) (await load())(command);
  }
  return program;
}

/** `comanda` alone shows what it can do, and what this machine is ready for. */
async function showNextStep(context: ProcessContext, language: Language): Promise<number> {
  const { stdout, host } = context;
  const { nextStep } = await import("./next-step.js");
  const { rootHelp } = await import("./root-help.js");
  await useLanguage(language);
  const text = withSystemQuotes(rootHelp(), host.platform);
  stdout.write(narrowHelp(`${text}${nextStep(context)}`, stdout.columns));
  return 0;
}

/**
 * A person who pressed Ctrl-C needs no message, but a script that reads JSON does. {@link main} reports an output that
 * can't be written, after everything else.
 */
function needsNoMessage({ code }: ComandaError, json: boolean): boolean {
  if (code === "output_closed" || code === "output_failed") return true;
  return !json && (code === "interrupted" || code === "terminated");
}

async function reportError(
  thrown: unknown,
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  if (thrown instanceof Exit) return thrown.exitCode;
  const reason: unknown = context.signal.aborted ? context.signal.reason : undefined;
  const error = toComandaError(thrown, reason);
  if (error === undefined) return 0;
  const output = await errorOutput(argv, context);
  if (needsNoMessage(error, output.json)) return error.exitCode;
  output.error(error);
  if (argv.includes("--debug")) context.stderr.write(`${trace(thrown)}\n`);
  return error.exitCode;
}

/** The command line may be wrong, so its options are read without the parser. */
function errorOutput(argv: readonly string[], context: ProcessContext): Promise<Output> {
  const format = typedFormats(argv).includes("json") ? "json" : "table";
  const color = optionsIn(argv).includes("--no-color") ? "never" : "auto";
  return createOutput(context, { format, quiet: false, color });
}

/** Shows the stack alone: an error's `cause` may carry a code or a token. */
function trace(thrown: unknown): string {
  return thrown instanceof ComandaError || !(thrown instanceof Error) ? "" : (thrown.stack ?? "");
}
