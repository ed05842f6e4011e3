/** The help of a command as commander lays it out, in the reader's language, with examples. */
import { Help, type Command, type Option } from "commander";

import { translated } from "../languages/language.js";

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

  get #width(): number {
    return this.helpWidth ?? 80;
  }

  override formatHelp(command: Command, helper: Help): string {
    const examples = this.exampleLines.map(
      (line) => `  ${this.#commandLine(`$ comanda ${translated(line)}`)}\n`,
    );
    return [
      super.formatHelp(command, helper),
      ...(this.global.length > 0
        ? [
            `${this.boxWrap(`${translated("Also (comanda --help):")} ${this.global.join(" ")}`, this.#width)}\n`,
          ]
        : []),
      ...(examples.length > 0 ? [`${translated("Examples:")}\n${examples.join("")}`] : []),
    ].join("\n");
  }

  /** A shell takes the lines as one. */
  #commandLine(line: string): string {
    if (line.length + 2 <= this.#width) return line;
    return this.boxWrap(line, this.#width - 6).replaceAll("\n", " \\\n    ");
  }

  override commandUsage(command: Command): string {
    const usage = super
      .commandUsage(command)
      .replace("[options]", translated("[options]"))
      .replace("[command]", translated("[command]"));
    return this.boxWrap(usage, this.#width - 7).replaceAll("\n", "\n       ");
  }

  override styleTitle(title: string): string {
    return translated(title);
  }

  override subcommandTerm(command: Command): string {
    return command.name();
  }

  /** commander says the default in English, and the choices, too, which the description may have named. */
  override optionDescription(option: Option): string {
    const { description, argChoices = [] } = option;
    if (argChoices.length > 0 && argChoices.every((choice) => description.includes(choice)))
      return description;
    return super
      .optionDescription(option)
      .replaceAll(
        /(\(|, )(choices|default): /g,
        (_, start: string, word: string) => `${start}${translated(`${word}:`)} `,
      );
  }

  override formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    if (this.#width - termWidth - 4 >= leastBeside)
      return super.formatItem(term, termWidth, description, helper);
    return `  ${term}\n      ${this.boxWrap(description, this.#width - 6).replaceAll("\n", "\n      ")}`;
  }
}
