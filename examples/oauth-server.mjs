// A server that acts for many stores: each Owner authorises the app, and the stores' tokens lie in the server's own database.
// Start as many of these on one database as you like: a token is refreshed by one of them.
//   AUTH_URL=… BASE_URL=… CLIENT_ID=… REDIRECT_URI=http://127.0.0.1:8765/callback node examples/oauth-server.mjs tokens.db
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { URL } from "node:url";

import { ComandaError } from "comanda";
import { createOAuth } from "comanda/oauth";

import { createSqlTokenStore } from "./sql-token-store.mjs";

// The tokens are this user's alone, with all that SQLite puts beside them.
process.umask(0o077);
// Node 22.13 has SQLite; on Node 20 it is the package's optional drop-in. For PostgreSQL: createSqlTokenStore((sql, values) => pool.query(sql, values))
const { DatabaseSync } = await import("node:sqlite").catch(() => import("@photostructure/sqlite"));
const database = new DatabaseSync(process.argv[2] ?? "tokens.db");
database.exec("pragma journal_mode = wal; pragma busy_timeout = 10000");
const store = createSqlTokenStore(async (sql, values) =>
  database.prepare(sql.replaceAll(/\$\d/g, "?")).all(...values),
);
await store.setUp();

const { AUTH_URL: authUrl, BASE_URL: baseUrl, CLIENT_ID: clientId, REDIRECT_URI: redirectUri } = process.env;
const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store });
/** What has begun, by the session of a browser; yours lie where your sessions lie. */
const sessions = new Map();

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    // The message is for people and holds no secret.
    const text = error instanceof ComandaError ? error.message : "Something went wrong.";
    response.writeHead(error.code === "invalid_input" ? 400 : 502).end(text);
  });
});

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, redirectUri);
  if (pathname === "/connect") {
    const { url, pending } = await oauth.authorizationUrl();
    const session = randomUUID();
    sessions.set(session, pending);
    const cookie = `session=${session}; HttpOnly; SameSite=Lax; Path=/`;
    return response.writeHead(302, { location: url, "set-cookie": cookie }).end();
  }
  if (pathname === new URL(redirectUri).pathname) {
    const session = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
    const pending = sessions.get(session);
    // It counts once.
    sessions.delete(session);
    if (pending === undefined) return response.writeHead(400).end("Begin at /connect.");
    const { key } = await oauth.callback(request.url, pending);
    return response.end(key);
  }
  if (pathname === "/dispatch") {
    // Who may ask for which store is for your server to know.
    const client = oauth.client(searchParams.get("store") ?? "");
    const { httpStatus } = await client.dispatchOrder(searchParams.get("order"));
    return response.end(`dispatched (HTTP ${httpStatus})`);
  }
  return response.writeHead(404).end();
}

// A refresh that is out has to come to its end: its answer exists nowhere else.
process.once("SIGTERM", () => server.close(() => void oauth.idle().then(() => process.exit())));

const { hostname, port } = new URL(redirectUri);
server.listen(Number(port), hostname, () => console.log("ready"));
