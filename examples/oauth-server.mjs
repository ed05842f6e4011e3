// A server that acts for many stores: each owner authorizes the app, and the server stores the tokens in its own database.
// Several servers can share one database; only one of them refreshes a token.
//   AUTH_URL=… BASE_URL=… CLIENT_ID=… REDIRECT_URI=http://127.0.0.1:8765/callback node examples/oauth-server.mjs tokens.db
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { URL } from "node:url";

import { ComandaError } from "comanda";
import { createOAuth } from "comanda/oauth";

import { createSqlTokenStore } from "./sql-token-store.mjs";

// Other users can't read the tokens, nor the files that SQLite creates with them.
process.umask(0o077);
/** @type {string} Node 20 and its types lack this module, which comanda's optional dependency replaces. */
const sqlite = "node:sqlite";
const { DatabaseSync } = await import(sqlite).catch(() => import("@photostructure/sqlite"));
const database = new DatabaseSync(process.argv[2] ?? "tokens.db");
database.exec("pragma journal_mode = wal; pragma busy_timeout = 10000");
// With PostgreSQL: createSqlTokenStore((sql, values) => pool.query(sql, values))
const store = createSqlTokenStore(async (sql, values) =>
  database.prepare(sql.replaceAll(/\$\d/g, "?")).all(...values),
);
await store.setUp();

const {
  AUTH_URL: authUrl = "",
  BASE_URL: baseUrl = "",
  CLIENT_ID: clientId = "",
  REDIRECT_URI: redirectUri = "",
} = process.env;
const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store });
/**
 * Authorizations that have begun, by the session of a browser. Use the sessions of your server instead.
 *
 * @type {Map<string, import("comanda/oauth").PendingAuthorization>}
 */
const sessions = new Map();

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    // The message is for people and contains no secret.
    const text = error instanceof ComandaError ? error.message : "Something went wrong.";
    response.writeHead(error.code === "invalid_input" ? 400 : 502).end(text);
  });
});

/** @type {(...given: Parameters<import("node:http").RequestListener>) => Promise<unknown>} */
async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? "/", redirectUri);
  if (pathname === "/connect") {
    const { url, pending } = await oauth.authorizationUrl();
    const session = randomUUID();
    sessions.set(session, pending);
    const cookie = `session=${session}; HttpOnly; SameSite=Lax; Path=/`;
    return response.writeHead(302, { location: url, "set-cookie": cookie }).end();
  }
  if (pathname === new URL(redirectUri).pathname) {
    const session = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const pending = sessions.get(session);
    // A session can be used once.
    sessions.delete(session);
    if (pending === undefined) return response.writeHead(400).end("Begin at /connect.");
    const { key } = await oauth.callback(request.url ?? "/", pending);
    return response.end(key);
  }
  if (pathname === "/dispatch") {
    // Your server decides who may act for which store.
    const client = oauth.client(searchParams.get("store") ?? "");
    const { httpStatus } = await client.dispatchOrder(searchParams.get("order") ?? "");
    return response.end(`dispatched (HTTP ${httpStatus})`);
  }
  return response.writeHead(404).end();
}

// Wait for a running refresh: only its response contains the tokens that still work.
process.once("SIGTERM", () => server.close(() => void oauth.idle().then(() => process.exit())));

const { hostname, port } = new URL(redirectUri);
server.listen(Number(port), hostname, () => console.log("ready"));
