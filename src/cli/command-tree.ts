/** Makes the tree of commands. It loads the file of the command that the first word names, or all where that isn't clear. */
import { Command, Help, type Option } from "commander";

import type { Context, TypedLine } from "../commands/index.js";
import { ComandaError } from "../shared/errors.js";
import { t, translated } from "../shared/language.js";
import { withSystemQuotes } from "../shared/shell-word.js";
import { narrowHelp } from "../terminal/narrow.js";

import { endComandaOptions, refuseUnknownCommand } from "./command-words.js";
import { commanderCommand, commanderGroup, helpPages, makeReadOnly } from "./commander.js";
import { addGlobalOptions, commandWordsOf } from "./global-options.js";
import {
  toEnglishWords,
  shownCommand,
  shownMember,
  shownPlaceholders,
  shownWithEnglish,
} from "./portuguese-line.js";
import { rootHelp } from "./root-help.js";
import { toComandaError } from "./to-comanda-error.js";

/** @param program the whole tree, for the command that describes the others */
type Maker = (context: Context, program: Command) => Promise<Command>;

/** The commands in the order of the help. */
const makers: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ["login", async (context) => commanderCommand((await import("../commands/login/index.js")).login, context)],
  ["logout", async (context) => commanderCommand((await import("../commands/logout.js")).logout, context)],
  ["status", async (context) => commanderCommand((await import("../commands/status.js")).status, context)],
  [
    "orders",
    async (context) => commanderGroup((await import("../commands/orders/index.js")).orders, context),
  ],
  [
    "driver",
    async (context) => commanderGroup((await import("../commands/driver/index.js")).driver, context),
  ],
  [
    "prefill",
    async (context) => commanderCommand((await import("../commands/prefill/index.js")).prefill, context),
  ],
  [
    "summary",
    async (context) => commanderCommand((await import("../sales/commands/summary.js")).summary, context),
  ],
  [
    "grouped",
    async (context) => commanderCommand((await import("../sales/commands/grouped.js")).grouped, context),
  ],
  ["pivot", async (context) => commanderCommand((await import("../sales/commands/pivot.js")).pivot, context)],
  [
    "report",
    async (context) => commanderCommand((await import("../sales/commands/report.js")).report, context),
  ],
  [
    "counter",
    async (context) => commanderCommand((await import("../commands/counter/index.js")).counter, context),
  ],
  ["live", async (context) => commanderCommand((await import("../commands/counter/index.js")).live, context)],
  ["sync", async (context) => commanderCommand((await import("../sales/commands/sync.js")).sync, context)],
  [
    "changes",
    async (context) => commanderCommand((await import("../sales/commands/changes.js")).changes, context),
  ],
  ["tie", async (context) => commanderCommand((await import("../sales/commands/tie.js")).tie, context)],
  ["cache", async (context) => commanderGroup((await import("../commands/cache.js")).cache, context)],
  ["sql", async (context) => commanderCommand((await import("../commands/sql/index.js")).sql, context)],
  ["quota", async (context) => commanderCommand((await import("../commands/quota/index.js")).quota, context)],
  [
    "history",
    async (context) => commanderGroup((await import("../commands/history/index.js")).history, context),
  ],
  ["api", async (context) => commanderCommand((await import("../commands/api/index.js")).api, context)],
  [
    "stores",
    async (context) => commanderGroup((await import("../commands/stores/index.js")).stores, context),
  ],
  [
    "doctor",
    async (context) => commanderCommand((await import("../commands/doctor/index.js")).doctor, context),
  ],
  [
    "completion",
    async (context) =>
      commanderCommand((await import("../commands/completion/index.js")).completion, context),
  ],
  ["config", async (context) => commanderGroup((await import("../commands/config.js")).config, context)],
  [
    "state",
    async (context) => commanderGroup((await import("../commands/state/index.js")).stateCommands, context),
  ],
  ["env", async (context) => commanderGroup((await import("../commands/env.js")).environments, context)],
  [
    "schedule",
    async (context) => {
      const { scheduleGroup } = await import("../commands/schedule/index.js");
      return commanderGroup(
        scheduleGroup((words) => readCommandLine(context, words)),
        context,
      );
    },
  ],
  ["openapi", async (context) => commanderCommand((await import("../commands/openapi.js")).openApi, context)],
  [
    "emulator",
    async (context) => commanderGroup((await import("../commands/emulator/index.js")).emulator, context),
  ],
  ["demo", async (context) => commanderCommand((await import("../commands/demo/index.js")).demo, context)],
  [
    "help",
    async (context, program) => {
      const { helpCommand } = await import("../commands/help/index.js");
      return commanderCommand(helpCommand(helpPages(program, (title) => listOf(program, title))), context);
    },
  ],
]);

/** These commands look up other commands in the tree. */
const needsTree: readonly string[] = ["help"];

/** These words ask about all commands. */
const overviewWords: readonly string[] = ["help", "--help", "-h"];

function listOf(program: Command, title: "Commands:" | "Options:"): string {
  const text = formatHelp.call(new Help(), program, Object.assign(new Help(), program.configureHelp()));
  const heading = `${translated(title)}\n`;
  return text.split(/\n(?=\S[^\n]*:\n)/).find((section) => section.startsWith(heading)) ?? "";
}

/** @param argv without it, the tree has all commands */
export async function createProgram(context: Context, argv: readonly string[] = []): Promise<Command> {
  const program = new Command("comanda")
    .description(
      translated("Change orders, assign drivers and read sales figures from the terminal, a script or cron."),
    )
    .version(context.version, "-V, --version", translated("print the version"))
    .helpCommand(false);
  addGlobalOptions(program);
  for (const command of await Promise.all(membersFor(argv, context, program))) program.addCommand(command);
  configure(program, context);
  // `help commands` and `help options` show the lists.
  program.configureHelp({ ...program.configureHelp(), formatHelp: rootHelp });
  return program;
}

/**
 * Reads a command line as if it were typed, without running the command.
 *
 * @throws as the typed line would be refused; `usage` for a line that only asks for help
 */
async function readCommandLine(context: Context, argv: readonly string[]): Promise<TypedLine> {
  const words = toEnglishWords(argv);
  const program = await createProgram(context, words);
  let typedLine: TypedLine | undefined;
  makeReadOnly(program, (command, line) => {
    typedLine = { command: commandWordsOf(command), line };
  });
  refuseUnknownCommand(program, words);
  try {
    await program.parseAsync(endComandaOptions(program, words), { from: "user" });
  } catch (error) {
    throw toComandaError(error) ?? helpOnlyError();
  }
  if (typedLine === undefined) throw helpOnlyError();
  return typedLine;
}

function helpOnlyError(): ComandaError {
  return new ComandaError("usage", t`This command line only asks for help.`, {
    hint: t`Schedule a command that does its work alone: summary, grouped, report, sync, orders.`,
  });
}

function membersFor(argv: readonly string[], context: Context, program: Command): Promise<Command>[] {
  const [first = ""] = argv;
  const make = makers.get(first);
  if (make && !needsTree.includes(first)) return [make(context, program)];
  const all = [...makers];
  const namedMakers = all.filter(([name]) => argv.includes(name));
  const overview = namedMakers.length === 0 && /^(-|$)/.test(first);
  if (overview || argv.some((word) => overviewWords.includes(word)))
    return all.map(([, make]) => make(context, program));
  // The first word is an option, or no command: the others are there as names, to be suggested.
  return all.map((each) =>
    namedMakers.includes(each) ? each[1](context, program) : Promise.resolve(new Command(each[0])),
  );
}

/** Translates the texts that commander writes by itself. */
const translatedHelp = {
  styleTitle: translated,
  optionTerm: (option: Option) => shownWithEnglish(option.flags),
  commandUsage: (command: Command) =>
    shownPlaceholders(new Help().commandUsage(command))
      .replace("[options]", translated("[options]"))
      .replace("[command]", translated("[command]")),
  optionDescription: (option: Option) =>
    new Help()
      .optionDescription(option)
      .replaceAll(
        /(\(|, )(choices|default): /g,
        (_, start: string, word: string) => `${start}${translated(`${word}:`)} `,
      ),
};

/** Every command has options, so `[options]` would only take the room of the summary. */
function subcommandTerm(command: Command): string {
  const term = new Help().subcommandTerm(command).replace(" [options]", "");
  const name = command.name();
  const word = command.parent?.parent ? shownMember(name) : shownCommand(name);
  return shownPlaceholders(`${word}${term.slice(name.length)}`);
}

/** Puts the commands before the options. */
function formatHelp(this: Help, command: Command, helper: Help): string {
  const sections = new Help().formatHelp.call(this, command, helper).split(/\n(?=\S[^\n]*:\n)/);
  const isList = (section: string) => section.startsWith(`${translated("Commands:")}\n`);
  const first = sections.findIndex((section) => section.startsWith(`${translated("Options:")}\n`));
  const rest = sections.filter((section) => !isList(section));
  return [...rest.slice(0, first), ...sections.filter(isList), ...rest.slice(first)]
    .map((section) => section.trimEnd())
    .join("\n\n")
    .concat("\n");
}

/** `addCommand` hands none of this down, so every command gets it. */
function configure(command: Command, context: Context): void {
  command
    .helpOption("-h, --help", translated("print this help"))
    // The width is the same everywhere, so that the build can make the helps: many terminals have 80 columns.
    .configureHelp({
      ...command.configureHelp(),
      helpWidth: 80,
      ...translatedHelp,
      subcommandTerm,
      formatHelp,
    })
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) =>
        void context.stdout.write(
          withSystemQuotes(narrowHelp(text, context.stdout.columns), context.host.platform),
        ),
      writeErr: (text) => void context.stderr.write(text),
      // Errors are told by the one renderer, not by commander.
      outputError: () => undefined,
    });
  for (const member of command.commands) configure(member, context);
}
