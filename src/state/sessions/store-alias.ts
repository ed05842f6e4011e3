/** The names that people give their stores, and the file names these become. */
import { createHash } from "node:crypto";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";

const maxCharacters = 40;

/**
 * The alias in the one form that it is kept in (Unicode NFC): letters and digits of any script, `.`, `_`, `-`; first a
 * letter or digit; at most 40 characters.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function parseStoreAlias(text: string): string {
  const alias = text.normalize("NFC");
  const hint = t`For example: "downtown", "loja-2", "praça.central".`;
  if (alias === "") throw new ComandaError("invalid_input", t`A store's alias can't be empty.`, { hint });
  if (Array.from(alias).length > maxCharacters) {
    throw new ComandaError("invalid_input", t`A store's alias has at most ${maxCharacters} characters.`, {
      hint,
    });
  }
  if (!isWellFormed(alias)) {
    throw new ComandaError(
      "invalid_input",
      t`${JSON.stringify(alias)} can't be a store's alias: letters, digits, ".", "_" and "-" can, and first a letter or digit.`,
      { hint },
    );
  }
  return alias;
}

/** Plain letters first: the engine makes a table of all scripts for the others, a tenth of what a short command takes. */
function isWellFormed(alias: string): boolean {
  return /^[a-z\d][\w.-]*$/i.test(alias) || /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u.test(alias);
}

/** Two aliases that differ by letter case alone are the same store's. */
export function storeKey(alias: string): string {
  return alias.toLowerCase().normalize("NFC");
}

/** Requests to a store are counted for this key, whichever of its credentials goes along. */
export function quotaKeyOf(store: string): string {
  return `store ${store}`;
}

/** File names are limited to 255 bytes, and some are needed for what is added. */
const maxNameLength = 150;

/**
 * The name that the store's files begin with: plain ASCII in lower case, and no device name of Windows thanks to its
 * prefix. A long one ends in a digest.
 */
export function storeFileName(alias: string): string {
  const key = storeKey(alias);
  const name = `s-${encodeURIComponent(key).toLowerCase()}`;
  if (name.length <= maxNameLength) return name;
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 24);
  return `${name.slice(0, maxNameLength - 25)}~${digest}`;
}

/** The alias that a file name stands for, for a file whose content can't be read. */
export function aliasOfFileName(name: string): string {
  try {
    return decodeURIComponent(name.replace(/^s-/, ""));
  } catch {
    return name;
  }
}
