/** What `comanda --help` prints: the commands by what they are for, on one screen of 24 lines. */
import { translated } from "../shared/language.js";

const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Orders", ["orders", "driver", "prefill", "history"]],
  ["Figures", ["summary", "grouped", "pivot", "report", "live", "sync", "sql", "cache"]],
  ["Stores", ["login", "logout", "revoke", "status", "stores", "env"]],
  ["Machine", ["doctor", "config", "state", "quota", "schedule", "completion", "version"]],
  ["Builders", ["api", "openapi", "emulator", "demo"]],
];

const examples: readonly (readonly [line: string, meaning: string])[] = [
  ["comanda demo", "a guided tour"],
  ["comanda login --store centro --env production", "sign in at a store"],
  ["comanda orders dispatch 4711", "send an order on its way"],
  ["comanda driver assign 4711 12 --fee 7.50", "give it a driver"],
  ["comanda summary --period last-week", "how was last week?"],
];

const further: readonly (readonly [line: string, meaning: string])[] = [
  ["comanda help commands", "every command, with what it is for"],
  ["comanda <command> --help", "what it does, its options and examples"],
  ["comanda help options", "the options of every command"],
  ["comanda help <topic>", "cron, environment, exit-codes, files, filters,"],
  ["", "json, output, periods, schedulers, sign-in"],
];

export function rootHelp(): string {
  const titles = groups.map(([title]) => translated(title));
  const width = Math.max(...titles.map((title) => title.length));
  return [
    `${translated("Usage:")} comanda ${translated("[options]")} ${translated("[command]")}`,
    "",
    translated("Orders, drivers and sales figures, from the terminal, a script or cron."),
    "",
    ...groups.map(([, names], index) => `  ${(titles[index] ?? "").padEnd(width)}  ${names.join(", ")}`),
    "",
    translated("Examples:"),
    ...aligned(examples, "$ "),
    "",
    translated("More help:"),
    ...aligned(further, "$ "),
    "",
  ].join("\n");
}

function aligned(
  lines: readonly (readonly [line: string, meaning: string])[],
  mark: string,
): readonly string[] {
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(
    ([line, meaning]) =>
      `  ${line === "" ? " ".repeat(mark.length) : mark}${line.padEnd(width)}  ${translated(meaning)}`,
  );
}
