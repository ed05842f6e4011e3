/**
 * What is secret in PostgreSQL, and what would send a secret elsewhere: rows that are encrypted (AES-256-GCM) with a key that the
 * database never sees, each bound to its name. The key is in COMANDA_STATE_KEY, or in the file that COMANDA_STATE_KEY_FILE names.
 * Several may stand there, parted by spaces, commas or lines: the first one encrypts, and all of them are tried to decrypt, so that
 * another key comes into use without a pause.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Database } from "./database.js";
import { whenBack } from "./postgres.js";
import { readPrivate } from "./private-file.js";
import { overtaken, type Shelf } from "./sessions.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** A write is tried for so long while the server is away: it may be all that is left of a sign-in. */
const storeWithinMs = 60_000;

/** Its functions reject with `configuration` where there is no key, and with `state_unusable` for what isn't sealed with it. */
export function openSealedRows(database: () => Promise<Database>, env: Variables): Shelf {
  const placeOf = (name: string) => t`What is stored in PostgreSQL as ${name}`;

  async function contentOf(name: string): Promise<string | undefined> {
    const sql = "select content from sealed where name = $1";
    const [row] = await (await database()).rows({ content: "text" }, sql, name);
    return row?.content;
  }

  /** With a key set, what isn't sealed is refused: whoever may write into the database could have put it there. */
  function opened(content: string, name: string, keys = stateKeys(env)): string {
    const bytes = Buffer.from(content, "base64");
    for (const key of keys) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(-16));
        return decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The next one may be its key.
      }
    }
    throw new ComandaError(
      "state_unusable",
      t`${placeOf(name)} is not encrypted with the key that is set here, or not as what it is: somebody else may have written it.`,
      {
        hint: t`Set COMANDA_STATE_KEY as on the other machines. Where it is the right one, remove that row of the table sealed, and sign in or set it anew.`,
      },
    );
  }

  return {
    placeOf,
    async read(name) {
      // Where there is none, that is said before a browser opens.
      const keys = stateKeys(env);
      const content = await contentOf(name);
      return content === undefined ? undefined : opened(content, name, keys);
    },
    async names() {
      const rows = await (await database()).rows({ name: "text" }, "select name from sealed");
      return rows.map(({ name }) => name);
    },
    async write(name, text, before, { to = name } = {}) {
      const content = seal(stateKeys(env)[0], text, to);
      await whenBack(async () => {
        const { run } = await database();
        const current = await contentOf(name);
        let changed = 0;
        if (current === undefined && before === undefined)
          changed = await run(
            "insert into sealed (name, content) values ($1, $2) on conflict (name) do nothing",
            to,
            content,
          );
        else if (current !== undefined && opened(current, name) === before)
          changed = await run(
            "update sealed set name = $1, content = $2 where name = $3 and content = $4",
            ...[to, content, name, current],
          );
        // The answer to an earlier try may have been lost together with the connection.
        if (changed === 0 && (await contentOf(to)) !== content) throw overtaken(placeOf(name));
      }, storeWithinMs);
    },
    async remove(name) {
      await (await database()).run("delete from sealed where name = $1", name);
    },
  };
}

/**
 * @returns at least one
 * @throws {ComandaError} `configuration`; `state_unusable` for a file that others may read
 */
function stateKeys(env: Variables): readonly [Buffer, ...Buffer[]] {
  const { COMANDA_STATE_KEY: variable = "", COMANDA_STATE_KEY_FILE: file } = env;
  const text = variable === "" && file ? (readPrivate(file) ?? "") : variable;
  const words = text.split(/[\s,]+/).filter(Boolean);
  const [first, ...others] = words.map((word) => Buffer.from(word, "base64"));
  if (first !== undefined && words.every((word) => /^[A-Za-z0-9+/]{43}=$/.test(word)))
    return [first, ...others];
  // The value is never quoted.
  throw new ComandaError(
    "configuration",
    t`There is no key of 32 bytes in base64, and nothing secret is stored in PostgreSQL without one.`,
    {
      hint: t`Make a key once for all machines: openssl rand -base64 32. Then set COMANDA_STATE_KEY, or COMANDA_STATE_KEY_FILE.`,
    },
  );
}

/** @returns nonce, text and tag in base64 */
function seal(key: Buffer, text: string, name: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(name));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString("base64");
}
