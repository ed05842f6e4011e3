/** Reads the text of a state file: JSON of the expected shape and version, or an error that names the file. */
import * as z from "zod/mini";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { isObject, parseJson } from "../../api/json.js";

export interface JsonFileFormat<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  /** The newest version that this program knows; it stands in the file as `version`. */
  readonly version: number;
  /** The way out of a file that can't be used. */
  readonly hint: string;
}

/**
 * @throws {ComandaError} `state_unusable`. Neither message nor cause quotes the file: it may hold a secret, and so may
 *   the message of the JSON parser, which quotes the text around the fault.
 */
export function parseJsonFile<Schema extends z.ZodMiniType>(
  file: string,
  text: string,
  { schema, version, hint }: JsonFileFormat<Schema>,
): z.infer<Schema> {
  const data = parseJson(text);
  if (data === undefined) {
    throw new ComandaError("state_unusable", t`The file ${file} is damaged: it isn't JSON.`, { hint });
  }
  const written = versionOf(data);
  if (written !== undefined && written > version) {
    throw new ComandaError("state_unusable", t`The file ${file} was written by a newer version of comanda.`, {
      hint: t`Update comanda, then run the command again.`,
    });
  }
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.join(".");
  throw new ComandaError(
    "state_unusable",
    t`The file ${file} is damaged: ${where ? t`"${where}" is missing or not what it should be` : t`it holds something else`}.`,
    { hint },
  );
}

function versionOf(data: unknown): number | undefined {
  const version = isObject(data) ? data["version"] : undefined;
  return typeof version === "number" ? version : undefined;
}
