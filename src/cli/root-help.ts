/** Makes the text of `comanda --help`: the commands by their purpose, on one screen of 24 lines. */
import { translated } from "../languages/language.js";

/** A restaurant needs these on an evening, in this order. */
const evening: readonly (readonly [words: string, meaning: string])[] = [
  ["login", "sign in at a store"],
  ["orders dispatch", "send an order on its way"],
  ["orders deliver", "it has arrived"],
  ["orders finalize", "it is closed"],
  ["orders cancel", "it is canceled, with a reason"],
  ["driver assign", "give an order its driver"],
  ["summary", "how was the day?"],
];

const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Orders", ["counter", "prefill", "history"]],
  ["Figures", ["grouped", "report", "sync"]],
  ["Stores", ["status", "stores", "logout", "env"]],
  ["Machine", ["doctor", "completion"]],
  ["Builders", ["demo", "emulator", "api", "openapi"]],
];

const helpLines: readonly (readonly [line: string, meaning: string])[] = [
  ["comanda help commands", "every command, with what it is for"],
  ["comanda <command> --help", "what it does, its options and examples"],
  ["comanda help <topic>", "periods, filters, figures, json, cron, exit-codes"],
];

export function rootHelp(): string {
  const titles = groups.map(([title]) => translated(title));
  const width = Math.max(...titles.map((title) => title.length));
  return [
    `${translated("Usage:")} comanda ${translated("[options]")} ${translated("[command]")}`,
    "",
    translated("On an evening:"),
    ...alignLines(evening),
    "",
    translated("More:"),
    ...groups.map(([, names], index) => `  ${(titles[index] ?? "").padEnd(width)}  ${names.join(", ")}`),
    "",
    ...alignLines(helpLines, "$ "),
    "",
  ].join("\n");
}

function alignLines(
  lines: readonly (readonly [words: string, meaning: string])[],
  mark = "",
): readonly string[] {
  const width = Math.max(...lines.map(([words]) => words.length));
  return lines.map(([words, meaning]) => `  ${mark}${words.padEnd(width)}  ${translated(meaning)}`);
}
