/** The help topics, which concern many commands. They are in English in every language. */
import { fieldNames, filterFields } from "../../api/filters.js";
import { customerOriginLength } from "../../api/values.js";
import { operatorsOf } from "../../sales/filters.js";
import { wrapWords } from "../text.js";
import cron from "./cron.md";
import environment from "./environment.md";
import exitCodes from "./exit-codes.md";
import figures from "./figures.md";
import files from "./files.md";
import filters from "./filters.md";
import history from "./history.md";
import library from "./library.md";
import mcp from "./mcp.md";
import operation from "./operation.md";
import output from "./output.md";
import periods from "./periods.md";
import postgres from "./postgres.md";
import salesDb from "./sales-db.md";
import signIn from "./sign-in.md";
import statuses from "./statuses.md";
import testing from "./testing.md";

/** The values of fields without a list. */
const valueTexts = {
  opaque: "an id from the service",
  id: "a positive integer",
  text: `at most ${customerOriginLength} characters, or null`,
  time: "a time of day, HH:MM",
  amount: "an amount of at least 0, such as 50.60",
} as const;

/** Returns a row for each field of `--filter`, with its values and operators. */
function filterRows(): string {
  const rows: string[] = [];
  for (const field of fieldNames()) {
    const { values } = filterFields[field];
    const listed = "values" in values ? values.values.join(", ") : valueTexts[values.kind];
    rows.push(`  ${field.padEnd(19)}${listed}; ${operatorsOf(field).join(" ")}`);
  }
  return rows.join("\n");
}

/** In Markdown. */
const texts: Readonly<Record<string, string | (() => string | Promise<string>)>> = {
  periods,
  filters: () => filters.replace("  <fields>", filterRows),
  statuses,
  figures,
  output,
  json: async () => (await import("./json.js")).jsonTopic(),
  "exit-codes": exitCodes,
  files,
  environment,
  "sign-in": signIn,
  history,
  cron,
  operation,
  postgres,
  testing,
  library,
  mcp,
  "sales-db": salesDb,
};

export const topicNames: readonly string[] = Object.keys(texts);

/** Returns a topic as a terminal shows it: section titles in capitals, no marks of code blocks, at most 80 columns. */
export async function topicText(name: string): Promise<string | undefined> {
  const text = texts[name];
  const markdown = typeof text === "function" ? await text() : text;
  return markdown
    ?.replace(/^# /, "")
    .replaceAll(/^## (.*)/gm, (_, title: string) => title.toUpperCase())
    .replaceAll(/^```.*\n/gm, "")
    .replaceAll(/^.*$/gm, (line) => wrapWords(line, 80));
}
