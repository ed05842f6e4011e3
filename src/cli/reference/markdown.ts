/** Writes the command reference, which has all pages in one file of Markdown. */
import type { Page } from "./pages.js";

export function markdownReference(pages: readonly Page[]): string {
  const commands = pages.filter(({ section }) => section === 1);
  const topics = pages.filter(({ section }) => section === 7);
  return [
    "# The commands of comanda",
    "Made of the command tree when comanda was built: what `comanda help <command>` and `man comanda-<command>` tell.",
    [...commands, ...topics]
      .map(({ title, summary }) => `- [${title}](#${anchor(title)}): ${plain(summary)}`)
      .join("\n"),
    ...commands.map(commandPart),
    ...topics.map(topicPart),
  ]
    .join("\n\n")
    .concat("\n");
}

function commandPart({ title, usage = title, paragraphs, lists, examples }: Page): string {
  return [
    `## ${title}`,
    ...paragraphs.map(plain),
    code([usage]),
    ...lists.map(({ title, items }) => {
      const lines = items.map(({ term, text }) => `- \`${term}\`: ${plain(text)}`);
      return [`**${title}**`, lines.join("\n")].join("\n\n");
    }),
    ...(examples.length === 0 ? [] : ["**Examples**", code(examples)]),
  ].join("\n\n");
}

function topicPart({ title, summary, verbatim = "" }: Page): string {
  return [`## ${title}`, `${plain(summary)}.`, code(verbatim.split("\n"))].join("\n\n");
}

function code(lines: readonly string[]): string {
  return ["```text", ...lines, "```"].join("\n");
}

/** Makes the address of a heading from its text. */
function anchor(title: string): string {
  return title.replaceAll(" ", "-");
}

/** Text between backticks is code already; everywhere else every character has to stand for itself. */
function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*_<>[\]#|~]/g, String.raw`\$&`)))
    .join("");
}
