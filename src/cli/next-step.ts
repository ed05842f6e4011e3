/** `comanda` alone names behind its help the stores of this machine, and the next step. */
import { readFileSync } from "node:fs";

import { isObject } from "../shared/json.js";

import { isPlain, storesHere } from "./complete.js";
import type { StartWords } from "./help-texts.js";

/** A longer list wouldn't help more. */
const maxStores = 5;

export function nextStep(words: StartWords): string {
  const stores = storesHere().filter(({ name }) => isPlain(name));
  if (stores.length === 0) return `\n${words.noStore}\n`;
  const labels = stores
    .slice(0, maxStores)
    .map(({ name, file }) => (hasKeyAlone(file) ? words.keyAlone.replace("{store}", () => name) : name));
  const names = [...labels, ...(stores.length > maxStores ? ["…"] : [])].join(", ");
  return `\n${words.stores.replace("{stores}", () => names)}\n`;
}

/** `comanda status` tells of a file that can't be read. */
function hasKeyAlone(file: string): boolean {
  try {
    const session: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(session) && "api_key" in session && !("tokens" in session);
  } catch {
    return false;
  }
}
