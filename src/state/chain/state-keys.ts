/**
 * Secrets in PostgreSQL are encrypted (AES-256-GCM) with a key that the database never sees: COMANDA_STATE_KEY, or
 * the file that COMANDA_STATE_KEY_FILE names. Several keys may stand there, parted by spaces, commas or lines: the first
 * one encrypts, and all of them are tried to decrypt, so that another key comes into use without a pause.
 */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Random, System } from "../system.js";
import { withFileErrors } from "../files/file-errors.js";
import { readPrivate } from "../files/private-file.js";

/** A secret that was encrypted, and the key that it was encrypted with. */
export interface Sealed {
  readonly keyId: string;
  /** Nonce, text and tag, in base64. */
  readonly text: string;
}

export interface StateKeys {
  /** The key that encrypts. */
  readonly id: string;
  /** @param owner whose secret it is: it can be read as that one's alone */
  seal(secret: string, owner: string): Sealed;
  /** @throws {ComandaError} `state_unusable` where its key isn't here, or it isn't what was encrypted for this owner */
  open(sealed: Sealed, owner: string): string;
}

export interface StateKeysOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly system: System;
  readonly host: Parameters<typeof readPrivate>[2];
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @returns `undefined` where there is none
 * @throws {ComandaError} `configuration`; `state_unusable` for a file that others may read
 */
export function readStateKeys({ env, system, host }: StateKeysOptions): StateKeys | undefined {
  const { COMANDA_STATE_KEY: variable, COMANDA_STATE_KEY_FILE: file } = env;
  const [name, text] = variable
    ? ["COMANDA_STATE_KEY", variable]
    : [
        "COMANDA_STATE_KEY_FILE",
        file && withFileErrors("read", file, () => readPrivate(system.disk, file, host)),
      ];
  if (!text) return undefined;
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => parseKey(word, name));
  const [first] = keys;
  if (first === undefined) throw notKey(name);
  return createStateKeys([first, ...keys.slice(1)], system.random);
}

/**
 * The text of a row. With a key set, what isn't sealed is refused: whoever may write into the database could have put it there.
 *
 * @param owner whose it is, and what
 * @param what begins a sentence: `The sign-in of centro`
 * @throws {ComandaError} `state_unusable`
 */
export function openSealed(
  keys: StateKeys | undefined,
  { keyId, text }: { readonly keyId: string | null; readonly text: string },
  owner: string,
  what: string,
): string {
  if (keyId !== null && keys) return keys.open({ keyId, text }, owner);
  if (keyId === null && !keys) return text;
  if (keyId !== null) {
    throw new ComandaError("state_unusable", t`${what} is encrypted, and there is no key here.`, {
      hint: t`Set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE, as on the other machines.`,
    });
  }
  throw new ComandaError(
    "state_unusable",
    t`${what} is not encrypted, though there is a key: somebody else may have written it.`,
    {
      hint: t`Remove it (comanda stores remove; of settings the row of chain_settings), and set it anew.`,
    },
  );
}

function parseKey(word: string, name: string): Buffer {
  const key = Buffer.from(word, "base64");
  if (key.length === keyBytes && /^[A-Za-z0-9+/]{43}=$/.test(word)) return key;
  throw notKey(name);
}

/** The value is never quoted. */
function notKey(name: string): ComandaError {
  return new ComandaError("configuration", t`${name} holds no key: ${keyBytes} bytes in base64.`, {
    hint: t`Make one: openssl rand -base64 32`,
  });
}

/** The error where something secret would have to be stored without a key. */
export function noStateKey(): ComandaError {
  const message = t`There is no key, and nothing secret is stored in PostgreSQL without one.`;
  return new ComandaError("configuration", message, {
    hint: t`Make a key once for all machines: openssl rand -base64 32. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.`,
  });
}

function createStateKeys(keys: readonly [Buffer, ...Buffer[]], random: Random): StateKeys {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [newest] = keys;
  const id = idOf(newest);
  return {
    id,
    seal(secret, owner) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", newest, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(owner));
      const text = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return { keyId: id, text: text.toString("base64") };
    },
    open({ keyId, text }, owner) {
      const key = byId.get(keyId);
      if (key === undefined) throw otherKey(keyId);
      const bytes = Buffer.from(text, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      try {
        decipher.setAAD(Buffer.from(owner));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([secret, decipher.final()]).toString("utf8");
      } catch (error) {
        const message = t`What is stored as a secret was changed, or is another store's.`;
        throw new ComandaError("state_unusable", message, {
          hint: t`Sign in again: comanda login`,
          cause: error,
        });
      }
    },
  };
}

/** Tells keys apart, and tells nothing of them: they are drawn by chance. */
function idOf(key: Buffer): string {
  return createHash("sha256").update("comanda state key").update(key).digest("hex").slice(0, 12);
}

function otherKey(keyId: string): ComandaError {
  return new ComandaError("state_unusable", t`What is stored was encrypted with another key (${keyId}).`, {
    hint: t`Put that key into COMANDA_STATE_KEY, behind the newest one.`,
  });
}
