/** `comanda` alone names behind its help the stores of this machine, and the next step. */
import { readFileSync } from "node:fs";

import { isObject } from "../api/json.js";
import { t } from "../languages/language.js";

import type { ProcessContext } from "./context.js";
import { storesHere } from "./complete.js";

/** A longer list wouldn't help more. */
const maxStores = 5;

export function nextStep({ env }: Pick<ProcessContext, "env">): string {
  const stores = storesHere(env);
  if (stores.length === 0) return `\n${t`No store is signed in yet. Begin with: comanda demo`}\n`;
  const labels = stores
    .slice(0, maxStores)
    .map(({ name, file }) => (hasKeyAlone(file) ? t`${name} (API key only)` : name));
  const names = [...labels, ...(stores.length > maxStores ? ["…"] : [])].join(", ");
  return `\n${t`Stores on this machine: ${names}. Are they ready? comanda status`}\n`;
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
