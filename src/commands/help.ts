/** `comanda help` prints the help of a command, or a topic that concerns many commands. */
import { ComandaError } from "../base/errors.js";
import type { Command } from "../cli/command.js";
import { topicNames, topicText } from "../cli/help/topics.js";
import { wrapWords } from "../cli/text.js";
import { t } from "../languages/language.js";

export default function help(command: Command): void {
  command
    .arguments("[topic...]")
    .printsText()
    .examples("help orders cancel", "help periods", "help exit-codes")
    .does(async ({ output }, _, words) => {
      const width = output.columns ?? 80;
      const program = command.parent ?? command;
      const page = words.join(" ");
      for (const each of program.commands) await each.load?.();
      const helps = new Map(helpsBelow(program, ""));
      const topics = t`Topics (comanda help <topic>): ${topicNames.join(", ")}`;
      const list = page === "" ? `${wrapWords(topics, width)}\n` : undefined;
      // A topic may have the name of a command, and follows its help.
      const topic = await topicText(page, Math.min(width, 80));
      const texts = [helps.get(page)?.(), topic, list].filter((text) => text !== undefined);
      if (texts.length === 0)
        throw new ComandaError("usage", t`Unknown command or topic ${`'${page}'`}.`, { hint: topics });
      output.text(texts.join("\n"));
    });
}

/** Returns the help of each command by the words that select it, such as `orders cancel`. */
function helpsBelow(command: Command, name: string): (readonly [name: string, help: () => string])[] {
  return [
    [name, () => command.helpInformation()],
    ...command.commands.flatMap((each) => helpsBelow(each, `${name} ${each.name()}`.trim())),
  ];
}
