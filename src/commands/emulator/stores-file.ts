/** Reads `--stores FILE`, JSON in the form that `startEmulator` takes. */
import { check, detailsOf } from "../../contract/input.js";
import type { StoreInput } from "../../emulator/inputs.js";
import { ownStoresSchema } from "../../emulator/seed/own-stores.js";
import { ComandaError } from "../../shared/errors.js";
import { parseJson } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import { decodeText, readBytes, unreadable } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";

const largestFile = 16 * 1024 * 1024;

/** @throws {ComandaError} `invalid_input` where the file can't be read or has no list of stores */
export async function readStores(
  { context: { signal }, inputFile }: Pick<Machine, "context" | "inputFile">,
  file: string,
): Promise<readonly StoreInput[]> {
  const stream = await inputFile(file, signal).catch((error: unknown) => {
    throw error instanceof ComandaError ? error : unreadable(file, error);
  });
  const hint = t`For example: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]`;
  const bytes = await readBytes({ stream, label: file, signal }, largestFile, hint);
  const stores = check(ownStoresSchema, parseJson(decodeText(bytes)), { owner: "The list", kind: "field" });
  if (stores.ok) return stores.value;
  throw new ComandaError("invalid_input", `${file}: ${detailsOf(stores)}.`, { hint });
}
