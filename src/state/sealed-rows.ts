/**
 * What is secret in PostgreSQL, and what would send a secret elsewhere: rows that are encrypted (AES-256-GCM) with a key that the
 * database never sees, each bound to its name. The key is in COMANDA_STATE_KEY, or in the file that COMANDA_STATE_KEY_FILE names.
 * Several may stand there, parted by spaces, commas or lines: the first one encrypts, and all of them are tried to decrypt, so that
 * another key comes into use without a pause.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Database } from "./database.js";
import { whenBack } from "./postgres.js";
import { atFile, readPrivate } from "./private-file.js";

type Variables = Readonly<Record<string, string | undefined>>;

export interface SealedRows {
  names(): Promise<readonly string[]>;
  /**
   * With a key set, what isn't sealed is refused: whoever may write into the database could have put it there.
   *
   * @param what begins a sentence: `The sign-in of centro`
   * @returns the text, and the version that a write takes the place of
   * @throws {ComandaError} `state_unusable`
   */
  read(name: string, what: string): Promise<{ readonly text: string; readonly version: string } | undefined>;
  /**
   * @returns the new version
   * @throws {ComandaError} `lock_timeout` where the version isn't there any more; `configuration` for a secret without a key
   */
  write(name: string, text: string, options: WriteOptions): Promise<string>;
  move(name: string, to: string, text: string, options: WriteOptions): Promise<string>;
  remove(name: string): Promise<boolean>;
  /** @throws {ComandaError} `configuration` where nothing secret could be written */
  refuseWithoutKey(): void;
}

interface WriteOptions {
  readonly isSecret: boolean;
  /** The version that it takes the place of; absent: there was none. */
  readonly before?: string | undefined;
}

/** A write is tried for so long while the server is away: it may be all that is left of a sign-in. */
const storeWithinMs = 60_000;

export function openSealedRows(database: () => Promise<Database>, env: Variables): SealedRows {
  const columns = { content: "text" } as const;
  const keys = () => readStateKeys(env);

  async function contentOf(name: string): Promise<string | undefined> {
    const [row] = await (await database()).rows(columns, "select content from sealed where name = $1", name);
    return row?.content;
  }

  function refuseWithoutKey(): void {
    if (keys().length > 0) return;
    const message = t`There is no key, and nothing secret is stored in PostgreSQL without one.`;
    throw new ComandaError("configuration", message, {
      hint: t`Make a key once for all machines: openssl rand -base64 32. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.`,
    });
  }

  async function move(name: string, to: string, text: string, { isSecret, before }: WriteOptions) {
    if (isSecret) refuseWithoutKey();
    const [key] = keys();
    const content = key ? seal(key, text, to) : text;
    return whenBack(async () => {
      const { run } = await database();
      const changed = await (before === undefined
        ? run("insert into sealed (name, content) values ($1, $2) on conflict (name) do nothing", to, content)
        : run(
            "update sealed set name = $1, content = $2 where name = $3 and content = $4",
            ...[to, content, name, before],
          ));
      // The answer to an earlier try may have been lost together with the connection.
      if (changed > 0 || (await contentOf(to)) === content) return content;
      throw new ComandaError("lock_timeout", t`Another machine has changed the same meanwhile.`, {
        hint: t`Run the command again.`,
      });
    }, storeWithinMs);
  }

  return {
    refuseWithoutKey,
    move,
    async names() {
      const rows = await (await database()).rows({ name: "text" }, "select name from sealed order by name");
      return rows.map(({ name }) => name);
    },
    async read(name, what) {
      const content = await contentOf(name);
      return content === undefined
        ? undefined
        : { text: opened(keys(), content, name, what), version: content };
    },
    write: (name, text, options) => move(name, name, text, options),
    remove: async (name) => (await (await database()).run("delete from sealed where name = $1", name)) > 0,
  };
}

const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];

/**
 * @returns none where none is set
 * @throws {ComandaError} `configuration`; `state_unusable` for a file that others may read
 */
function readStateKeys({
  COMANDA_STATE_KEY: variable,
  COMANDA_STATE_KEY_FILE: file,
}: Variables): readonly Buffer[] {
  const name = variable ? "COMANDA_STATE_KEY" : "COMANDA_STATE_KEY_FILE";
  let text = variable;
  if (!text && file) text = atFile("read", file, () => readPrivate(file));
  if (!text) return [];
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Za-z0-9+/]{43}=$/.test(word) ? Buffer.from(word, "base64") : Buffer.alloc(0)));
  if (keys.length > 0 && keys.every((key) => key.length === keyBytes)) return keys;
  // The value is never quoted.
  throw new ComandaError("configuration", t`${name} holds no key: ${keyBytes} bytes in base64.`, {
    hint: t`Make one: openssl rand -base64 32`,
  });
}

/** Tells keys apart, and tells nothing of them: they are drawn by chance. */
function idOf(key: Buffer): string {
  return createHash("sha256").update("comanda state key").update(key).digest("hex").slice(0, 12);
}

/** @returns the key's mark; nonce, text and tag in base64 */
function seal(key: Buffer, text: string, name: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(name),
  );
  const bytes = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `${idOf(key)} ${Buffer.concat(bytes).toString("base64")}`;
}

function opened(keys: readonly Buffer[], content: string, name: string, what: string): string {
  const refuse = (message: string, hint: string, cause?: unknown) =>
    new ComandaError("state_unusable", message, { hint, cause });
  const isSealed = !content.startsWith("{");
  if (!isSealed && keys.length === 0) return content;
  if (!isSealed) {
    throw refuse(
      t`${what} is not encrypted, though there is a key: somebody else may have written it.`,
      t`Remove it (comanda stores remove; of settings the row of the table sealed), and set it anew.`,
    );
  }
  if (keys.length === 0) {
    throw refuse(
      t`${what} is encrypted, and there is no key here.`,
      t`Set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE, as on the other machines.`,
    );
  }
  const [id = "", sealed = ""] = content.split(" ");
  const key = keys.find((each) => idOf(each) === id);
  if (key === undefined) {
    throw refuse(
      t`What is stored was encrypted with another key (${id}).`,
      t`Put that key into COMANDA_STATE_KEY, behind the newest one.`,
    );
  }
  try {
    const bytes = Buffer.from(sealed, "base64");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (error) {
    throw refuse(
      t`What is stored as a secret was changed, or is another store's.`,
      t`Sign in again: comanda login`,
      error,
    );
  }
}
