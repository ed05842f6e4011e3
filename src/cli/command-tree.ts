/** Makes the tree of commands. It loads the file of the command that the first word names, or all where that isn't clear. */
import { Command, Help, type Option } from "commander";

import type { Context } from "../toolkit/context.js";
import { translated } from "../languages/language.js";
import { withSystemQuotes } from "../state/shell-word.js";
import { narrowHelp } from "./wrap.js";

import { commanderCommand, commandsByWords, wholeHelp, type TreeCommand } from "./commander.js";
import { addGlobalOptions } from "./global-options.js";
import { rootHelp } from "./root-help.js";

/** @param program the whole tree, for the command that describes the others */
type Loader = (context: Context, program: Command) => Promise<TreeCommand>;

/** The commands in the order of the help. */
const loaders: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ["login", async () => (await import("../commands/login/index.js")).login],
  ["logout", async () => (await import("../commands/logout.js")).logout],
  ["status", async () => (await import("../commands/status.js")).status],
  ["orders", async () => (await import("../commands/orders/index.js")).orders],
  ["driver", async () => (await import("../commands/driver/index.js")).driver],
  ["prefill", async () => (await import("../commands/prefill/index.js")).prefill],
  ["summary", async () => (await import("../commands/summary.js")).summary],
  ["grouped", async () => (await import("../commands/grouped.js")).grouped],
  ["report", async () => (await import("../commands/report.js")).report],
  ["sync", async () => (await import("../commands/sync.js")).sync],
  ["history", async () => (await import("../commands/history/index.js")).history],
  ["api", async () => (await import("../commands/api/index.js")).api],
  ["stores", async () => (await import("../commands/stores/index.js")).stores],
  ["doctor", async () => (await import("../commands/doctor/index.js")).doctor],
  ["completion", async () => (await import("../commands/completion/index.js")).completion],
  ["env", async () => (await import("../commands/env.js")).environments],
  ["openapi", async () => (await import("../commands/openapi.js")).openApi],
  ["emulator", async () => (await import("../commands/emulator/index.js")).emulator],
  ["demo", async () => (await import("../commands/demo/index.js")).demo],
  [
    "help",
    async (_, program) => (await import("../commands/help/index.js")).helpCommand(() => helpPages(program)),
  ],
]);

/** @returns the texts of `comanda help` by the words behind it; without a word it is the program's help */
export function helpPages(program: Command): ReadonlyMap<string, () => string> {
  return new Map([
    ...commandsByWords(program).map(([words, command]) => [words, () => wholeHelp(command)] as const),
    ...(["commands", "options"] as const).map((list) => [list, () => listOf(program, list)] as const),
  ]);
}

function listOf(program: Command, list: "commands" | "options"): string {
  const text = formatHelp.call(new Help(), program, Object.assign(new Help(), program.configureHelp()));
  const heading = `${translated(list === "commands" ? "Commands:" : "Options:")}\n`;
  return sectionsOf(text).find((section) => section.startsWith(heading)) ?? "";
}

function sectionsOf(help: string): readonly string[] {
  return help.split(/\n(?=\S[^\n]*:\n)/);
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
  for (const command of await membersFor(argv, context, program)) program.addCommand(command);
  configure(program, context);
  // `help commands` and `help options` show the lists.
  program.configureHelp({ ...program.configureHelp(), formatHelp: rootHelp });
  return program;
}

async function membersFor(
  argv: readonly string[],
  context: Context,
  program: Command,
): Promise<readonly Command[]> {
  const [first = "", second = ""] = argv;
  const isCommand = loaders.has(first) && first !== "help";
  const namedCommands = argv.filter((word) => loaders.has(word));
  const isOverview = argv.length === 0 || (first === "help" && !loaders.has(second));
  const members = [...loaders]
    .filter(([name]) => !isCommand || name === first)
    .map(async ([name, load]) =>
      isCommand || isOverview || namedCommands.includes(name)
        ? commanderCommand(await load(context, program), context)
        : // It is there as a name, to be suggested.
          new Command(name),
    );
  return Promise.all(members);
}

/** Translates the texts that commander writes by itself. */
const translatedHelp = {
  styleTitle: translated,
  commandUsage: (command: Command) =>
    new Help()
      .commandUsage(command)
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

/** Puts the commands before the options. */
function formatHelp(this: Help, command: Command, helper: Help): string {
  const sections = sectionsOf(new Help().formatHelp.call(this, command, helper));
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
    // Many terminals have 80 columns, and `narrowHelp` lays it out anew for those that have fewer.
    .configureHelp({
      ...command.configureHelp(),
      helpWidth: 80,
      ...translatedHelp,
      // Arguments and `[options]` would only take the room of the summary.
      subcommandTerm: (member) => member.name(),
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
