/** Names for credentials that lie in no session: sales.db may hold no digest of one. */
import { createHash, randomUUID } from "node:crypto";

import type { StateFolder } from "./state-folder.js";

/** Tells credentials apart without revealing them. */
export function credentialDigest(credential: string): string {
  return createHash("sha256").update(credential).digest("hex").slice(0, 16);
}

/**
 * @param digest of the credential
 * @returns always the same for it
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function credentialName(state: StateFolder, digest: string): Promise<string> {
  const database = await state.database("comanda");
  const find = async () => {
    const sql = "select name from credential_names where digest = $1";
    const [row] = await database.rows({ name: "text" }, sql, digest);
    return row?.name;
  };
  const add = () =>
    database.run(
      "insert into credential_names (digest, name) values ($1, $2) on conflict (digest) do nothing",
      ...[digest, randomUUID()],
    );
  const name = (await find()) ?? (await add(), await find());
  return `credential ${name}`;
}
