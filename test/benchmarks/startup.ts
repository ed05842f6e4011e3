/** How long until comanda says something, as a multiple of what Node takes to do nothing. */
import { openDesk } from "./desk.js";
import type { Part, Report } from "./figure.js";
import { median } from "./figure.js";
import { comanda, node, paired, ratio, type Command } from "./processes.js";

/** The goals are those of Node 20, and of 24, which keeps compiled code. */
const hasCompileCache = Number(process.versions.node.split(".")[0]) > 22;
const nothing: Command = { args: [node, "-e", "0"] };
const line = (words: string, exitCode = 0): Command => ({
  args: [...comanda, ...words.split(" ")],
  exitCode,
});

const completion: Command = { args: [...comanda, "complete", "bash", "comanda su"], exitCode: 0 };

export const startup: Part = {
  name: "startup",
  async run(report) {
    const commands = {
      nothing,
      version: line("--version"),
      help: line("--help"),
      subcommandHelp: line("orders dispatch --help"),
      usageError: line("orders dispatch", 2),
      completion,
    };
    const ms = await paired(commands, 25);
    const usual = hasCompileCache ? 2 : 2.2;
    const rows = [
      ["version", "--version", 1.2],
      ["help", "--help", usual],
      ["subcommandHelp", "orders dispatch --help", usual],
      ["usageError", "orders dispatch (usage error)", usual],
      ["completion", "a first word, completed", usual],
    ] as const;
    for (const [name, what, atMost] of rows) {
      const note = `${median(ms[name]).toFixed(1)} ms; node -e 0: ${median(ms.nothing).toFixed(1)} ms`;
      report.figure({ what, unit: "x", measured: ratio(ms[name], ms.nothing), goal: { atMost }, note });
    }
    await withoutACall(report);
  },
};

/** What a signed-in machine tells of itself. */
async function withoutACall(report: Report): Promise<void> {
  const desk = await openDesk();
  try {
    const lines = ["stores list", "status", "history"];
    const commands: Record<string, Command> = { nothing };
    for (const words of lines) commands[words] = desk.comanda(words);
    const ms = await paired(commands, 25);
    const none = ms["nothing"] ?? [];
    for (const what of lines) {
      const own = ms[what] ?? [];
      report.figure({
        what,
        unit: "x",
        measured: ratio(own, none),
        goal: { atMost: hasCompileCache ? 2.2 : 2.5 },
      });
    }
  } finally {
    await desk.close();
  }
}
