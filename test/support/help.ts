/** The help of every command, as the build has made it of the command tree. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

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
  const text = name.includes("whole") ? gunzipSync(readFileSync(`${file}.gz`)) : readFileSync(file);
  const { lines, texts } = z.parse(fileSchema, parseJson(text.toString()));
  return new Map(
    Object.entries(texts).map(([words, indices]) => [words, indices.map((index) => lines[index]).join("\n")]),
  );
}
