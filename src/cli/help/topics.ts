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

/** Returns for each field of a filter its name, and its values and operators. */
export function filterRows(): readonly (readonly [field: string, text: string])[] {
  return fieldNames().map((field) => {
    const { values } = filterFields[field];
    const listed = "values" in values ? values.values.join(", ") : valueTexts[values.kind];
    return [field, `${listed}; ${operatorsOf(field).join(" ")}`];
  });
}

/** In Markdown. */
const texts: Readonly<Record<string, string | (() => string | Promise<string>)>> = {
  periods,
  filters: () => {
    const rows = filterRows().map(([field, text]) => `  ${field.padEnd(19)}${text}`);
    return filters.replace("  <fields>", () => rows.join("\n"));
  },
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

/** Returns a topic as a terminal shows it: section titles in capitals, no marks of code blocks, lines of a certain width. */
export async function topicText(name: string, width = 80): Promise<string | undefined> {
  const source = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (source === undefined) return undefined;
  const markdown = typeof source === "function" ? await source() : source;
  const text = markdown
    .replace(/^# /, "")
    .replaceAll(/^## (.*)/gm, (_, title: string) => title.toUpperCase())
    .replaceAll(/^```.*\n/gm, "");
  return wrapWords(text, width);
}
