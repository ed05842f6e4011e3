/** The help of a command as commander lays it out, in the reader's language, with examples. */
import { Help, type Command, type Option } from "commander";

import { capitalized, translated } from "../languages/language.js";

/** Where less is left beside a term, its explanation stands below it. */
const leastBeside = 24;

export class ComandaHelp extends Help {
  override minWidthToWrap = 20;

  /**
   * @param global the options of all commands that this one takes, too
   * @param exampleLines without the leading `comanda`
   */
  constructor(
    private readonly global: readonly string[],
    private readonly exampleLines: readonly string[],
  ) {
    super();
  }

  override formatHelp(command: Command, helper: Help): string {
    const width = this.helpWidth ?? 80;
    const parts = [super.formatHelp(command, helper)];
    if (this.global.length > 0)
      parts.push(
        `${this.boxWrap(`${translated("Also (comanda --help):")} ${this.global.join(" ")}`, width)}\n`,
      );
    // A shell takes the lines of a long example as one.
    const examples = this.exampleLines.map((example) => {
      const line = `$ comanda ${translated(example)}`;
      const wrapped = this.boxWrap(line, width - 6).replaceAll("\n", " \\\n    ");
      return `  ${line.length + 2 <= width ? line : wrapped}\n`;
    });
    if (examples.length > 0) parts.push(`${translated("Examples:")}\n${examples.join("")}`);
    return parts.join("\n");
  }

  override commandUsage(command: Command): string {
    const usage = super
      .commandUsage(command)
      .replace("[options]", translated("[options]"))
      .replace("[command]", translated("[command]"));
    return this.boxWrap(usage, (this.helpWidth ?? 80) - 7).replaceAll("\n", "\n       ");
  }

  override styleTitle(title: string): string {
    return translated(title);
  }

  override commandDescription(command: Command): string {
    const [summary = "", ...paragraphs] = command.description().split("\n\n");
    return summary && [`${capitalized(translated(summary))}.`, ...paragraphs.map(translated)].join("\n\n");
  }

  override subcommandTerm(command: Command): string {
    return command.name();
  }

  override subcommandDescription(command: Command): string {
    return translated(command.summary());
  }

  /** commander would add choices and default, in English: descriptions name them. */
  override optionDescription({ description }: Option): string {
    return translated(description);
  }

  override formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const width = this.helpWidth ?? 80;
    if (width - termWidth - 4 >= leastBeside) return super.formatItem(term, termWidth, description, helper);
    return `  ${term}\n      ${this.boxWrap(description, width - 6).replaceAll("\n", "\n      ")}`;
  }
}
