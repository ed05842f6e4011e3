/** What `comanda` alone says behind its help: the stores of this machine, and the next step. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { configFolder } from "../state/files/config-folder.js";

import { namesHere } from "./complete.js";
import type { EntryWords } from "./help-texts.js";

/** A long list says no more. */
const shownStores = 5;

export function nextStep(words: EntryWords): string {
  const stores = namesHere("stores").filter((name) => /^[\p{L}\p{M}\p{Nd}._-]+$/u.test(name));
  if (stores.length === 0) return `\n${words.noStore}\n`;
  const shown = stores
    .slice(0, shownStores)
    .map((name) => (hasKeyAlone(name) ? words.keyAlone.replace("{store}", () => name) : name));
  const names = [...shown, ...(stores.length > shownStores ? ["…"] : [])].join(", ");
  return `\n${words.stores.replace("{stores}", () => names)}\n`;
}

/** As its file is: what can't be read, `comanda status` tells. */
function hasKeyAlone(store: string): boolean {
  const file = path.join(
    configFolder(process.env) ?? "",
    "sessions",
    `s-${encodeURIComponent(store).toLowerCase()}.json`,
  );
  try {
    const session: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof session === "object" && session !== null && "api_key" in session && !("tokens" in session);
  } catch {
    return false;
  }
}
