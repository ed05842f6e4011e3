import type { Command, CommandGroup } from "../toolkit/command.js";
import { t } from "../shared/language.js";

export const clear: Command<Record<string, never>, { readonly removed: number }> = {
  description: {
    usage: "clear",
    summary: "forget the sales figures that are kept on this machine",
    description: "They are asked for anew when they are needed again. Sessions and settings stay.",
    examples: ["cache clear"],
  },
  parse: () => ({}),
  async run(machine) {
    const { clearAnswers } = await import("../state/answers.js");
    return { removed: await clearAnswers(await machine.state()) };
  },
  present({ removed }, output) {
    if (output.json) output.value({ removed });
    else output.sentence(removed === 1 ? t`1 answer was forgotten.` : t`${removed} answers were forgotten.`);
  },
};

export const cache: CommandGroup = {
  name: "cache",
  summary: "sales figures that are kept on this machine",
  members: [clear],
};
