/** The help of every command, as the build has made it of the command tree. */
import { readFileSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { parseJson } from "./json.js";

const fileSchema = z.object({
  lines: z.array(z.string()),
  texts: z.record(z.string(), z.array(z.number())),
});

/**
 * @param name for example `help-whole.en`
 * @returns the texts by the command's words
 */
export function madeHelp(name: string): ReadonlyMap<string, string> {
  const file = path.resolve(import.meta.dirname, `../../dist/cli/${name}.json`);
  const { lines, texts } = z.parse(fileSchema, parseJson(readFileSync(file, "utf8")));
  return new Map(
    Object.entries(texts).map(([words, indices]) => [words, indices.map((index) => lines[index]).join("\n")]),
  );
}
