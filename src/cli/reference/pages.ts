/** Makes the pages of the manual, as data, of the command tree and the help's topics. */
import type { Command, Option } from "commander";

import { DescribedCommand } from "../commander.js";
import { helpTopics } from "../../commands/help/topics.js";
import { t, translated } from "../../shared/language.js";

/** A word or a line that a person types, with its purpose. */
export interface Item {
  readonly term: string;
  readonly text: string;
}

export interface ItemList {
  readonly title: string;
  readonly items: readonly Item[];
}

export interface Page {
  /** The name in the manual: `comanda-orders-cancel`. */
  readonly name: string;
  /** The section of the manual: 1 has commands, 7 has topics. */
  readonly section: 1 | 7;
  readonly summary: string;
  /** Absent for a topic. */
  readonly usage?: string;
  readonly paragraphs: readonly string[];
  /** Lines to show as they are. */
  readonly verbatim?: string;
  readonly lists: readonly ItemList[];
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** Names of other pages. */
  readonly seeAlso: readonly string[];
}

/** @param program the whole tree, in the language of the pages */
export function referencePages(program: Command): readonly Page[] {
  return [...commandPages(program, []), ...helpTopics.map(topicPage)];
}

function commandPages(command: Command, above: readonly string[]): readonly Page[] {
  const words = [...above, command.name()];
  return [commandPage(command, words), ...command.commands.flatMap((member) => commandPages(member, words))];
}

function commandPage(command: Command, words: readonly string[]): Page {
  const described = command instanceof DescribedCommand ? command : undefined;
  const isRoot = words.length === 1;
  const [first = "", ...paragraphs] = command.description().split("\n\n");
  return {
    name: words.join("-"),
    section: 1,
    summary: described
      ? translated(described.details.summary)
      : (command.summary() || first).replace(/\.$/, ""),
    usage: command.createHelp().commandUsage(command),
    paragraphs: [first, ...paragraphs],
    lists: [
      { title: t`Commands`, items: command.commands.map((member) => memberItem(command, member)) },
      ...optionLists(command, command.options),
      { title: t`Options of every command`, items: (described?.globalOptions() ?? []).map(itemIn(command)) },
    ].filter(({ items }) => items.length > 0),
    examples: (described?.details.examples ?? []).map((line) => `comanda ${translated(line)}`),
    seeAlso: isRoot
      ? helpTopics.map(({ name }) => topicName(name))
      : [
          words.slice(0, -1).join("-"),
          ...command.commands.map((member) => [...words, member.name()].join("-")),
        ],
  };
}

function memberItem(command: Command, member: Command): Item {
  const help = command.createHelp();
  return { term: help.subcommandTerm(member), text: member.summary() };
}

function optionLists(command: Command, options: readonly Option[]): readonly ItemList[] {
  const headings = new Set(options.map(({ helpGroupHeading = "Options:" }) => helpGroupHeading));
  return [...headings].map((title) => ({
    title: translated(title).replace(/:$/, ""),
    items: options
      .filter(({ helpGroupHeading = "Options:" }) => helpGroupHeading === title)
      .map(itemIn(command)),
  }));
}

function itemIn(command: Command): (option: Option) => Item {
  const help = command.createHelp();
  return (option) => ({ term: help.optionTerm(option), text: help.optionDescription(option) });
}

function topicPage({ name, summary, text }: (typeof helpTopics)[number]): Page {
  const [, ...lines] = text.trimEnd().split("\n\n");
  return {
    name: topicName(name),
    section: 7,
    summary,
    paragraphs: [],
    verbatim: lines.join("\n\n"),
    lists: [],
    examples: [],
    seeAlso: ["comanda"],
  };
}

function topicName(name: string): string {
  return `comanda-${name}`;
}
