/** One of many servers that share a row of tokens. It calls with the store's token until it is killed. */
import { setTimeout as pause } from "node:timers/promises";

import { createSqlTokenStore } from "../../../examples/sql-token-store.mjs";
import { createOAuth } from "../../../src/library/oauth.js";
import { openSqlite } from "../../../src/state/sqlite.js";
import { sqliteQuery } from "../support/sqlite-query.js";

const [baseUrl = "", file = "", key = "", pauseMs = "20"] = process.argv.slice(2);

async function main(): Promise<void> {
  const oauth = createOAuth({
    authUrl: `${baseUrl}/authorize`,
    baseUrl,
    clientId: "app-1",
    redirectUri: "https://shop.example/callback",
    store: createSqlTokenStore(sqliteQuery(openSqlite(file))),
    timeoutMs: 1000,
  });
  for (;;) {
    try {
      const token = await oauth.credentials(key).bearer();
      await fetch(`${baseUrl}/call`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
      await pause(200);
    }
    await pause(Math.random() * 2 * Number(pauseMs));
  }
}

void main();
