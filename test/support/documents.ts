/** Checks the JSON that command lines print, so that no document can differ from the schema that describes it. */
import * as z from "zod";

import { documents } from "../../src/cli/help/documents.js";
import { errorDocument } from "../../src/core/results.js";
import { parseJsonLines } from "./output.js";

/** Each command of the table, with the words and the option that lead to its document. */
const table = Object.values(documents)
  .flat()
  .flatMap(({ commands, printed, schema }) =>
    commands.map((command) => {
      const [words = "", option] = command.split(/ (?=--)/);
      return { words, option, schema: printed === "list" ? z.array(schema) : schema };
    }),
  );

/** They print what the service returned, or a document with another specification. */
const exempt = / (?:api|openapi|mcp) /;

/** @throws an error that names the difference, if a line with `--json` has printed another document than its command's */
export function checkDocuments(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): void {
  // The words after -- are for another program.
  const line = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  if (!/ (?:--json|--format[ =]json) /.test(` ${line.join(" ")} `)) return;
  const isError = (text: string) => text.startsWith('{"error"');
  for (const text of stderr.split("\n").filter(isError)) check(line, errorDocument, JSON.parse(text));
  const schema = stdout === "" ? undefined : schemaOf(line);
  if (schema === undefined) return;
  for (const document of parseJsonLines(stdout)) check(line, schema, document);
}

/** Returns the schema of the longest command in the line; `undefined` if the command is exempt. */
function schemaOf(line: readonly string[]): z.ZodType | undefined {
  const words = ` ${line.filter((word) => !word.startsWith("-")).join(" ")} `;
  const options = new Set(line.map((word) => word.replace(/=.*/s, "")));
  if (line.filter((word) => /^(?:-s|--store)\b/.test(word)).length > 1) options.add("--all-stores");
  const named = table
    .filter((each) => words.includes(` ${each.words} `))
    .filter(({ option }) => option === undefined || options.has(option));
  // A line with several of the options prints the document of one of them.
  const rank = (each: (typeof table)[number]) => each.words.length + (each.option === undefined ? 0 : 1_000);
  const highest = Math.max(...named.map(rank));
  const [first, ...others] = named.filter((each) => rank(each) === highest);
  if (!first && exempt.test(words)) return undefined;
  if (!first) throw new Error(`No schema describes the output of: ${line.join(" ")}`);
  return z.union([first.schema, ...others.map(({ schema }) => schema)]);
}

function check(line: readonly string[], schema: z.ZodType, document: unknown): void {
  const { error } = schema.safeParse(document);
  if (error)
    throw new Error(
      `Another document than described: ${line.join(" ")}\n${z.prettifyError(error)}\n${JSON.stringify(document)}`,
    );
}
