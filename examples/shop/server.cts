// A CommonJS server in TypeScript that acts for many shops and stores their tokens in its own table.
//   AUTH_URL=… BASE_URL=… CLIENT_ID=… REDIRECT_URI=http://127.0.0.1:8765/callback node built/server.cjs shop.db
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { DatabaseSync } from "@photostructure/sqlite";
import { ComandaError, salesFigures } from "comanda";
import {
  createOAuth,
  type LoadedTokens,
  type PendingAuthorization,
  type StoredTokens,
  type TokenStore,
} from "comanda/oauth";

// Other users can't read the tokens, nor the files that SQLite creates with them.
process.umask(0o077);
const database = new DatabaseSync(process.argv[2] ?? "shop.db");
database.exec(`
  pragma journal_mode = wal;
  pragma busy_timeout = 10000;
  create table if not exists tokens (key text primary key, tokens text not null, generation integer not null) strict;
  create table if not exists shops (name text primary key, key text not null) strict`);

const load = (key: string): LoadedTokens | undefined => {
  const row = database.prepare("select tokens, generation from tokens where key = ?").get(key);
  if (row === undefined) return undefined;
  const { tokens, generation } = row as { tokens: string; generation: number };
  return { tokens: JSON.parse(tokens) as StoredTokens, generation };
};
const turns = new Map<string, Promise<unknown>>();

const store: TokenStore = {
  load: (key) => Promise.resolve(load(key)),
  save(key, tokens, expectedGeneration) {
    // The statement compares and sets in one step, so that only one of two servers writes.
    const statement =
      expectedGeneration === 0
        ? "insert into tokens (key, tokens, generation) values (?1, ?2, ?3 + 1) on conflict do nothing"
        : "update tokens set tokens = ?2, generation = generation + 1 where key = ?1 and generation = ?3";
    const { changes } = database.prepare(statement).run(key, JSON.stringify(tokens), expectedGeneration);
    return Promise.resolve(Number(changes) === 1);
  },
  lock(key, work) {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    turns.set(key, turn);
    return turn;
  },
};

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} isn't set.`);
  return value;
};
const baseUrl = variable("BASE_URL");
const redirectUri = variable("REDIRECT_URI");
const oauth = createOAuth({
  authUrl: variable("AUTH_URL"),
  baseUrl,
  clientId: variable("CLIENT_ID"),
  redirectUri,
  store,
});
/** Authorizations that have begun, by the session of a browser. */
const sessions = new Map<string, { shop: string; pending: PendingAuthorization }>();

function keyOf(shop: string): string {
  const row = database.prepare("select key from shops where name = ?").get(shop);
  if (row === undefined) throw new ComandaError("not_signed_in", `${shop} isn't connected yet.`);
  return (row as { key: string }).key;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", redirectUri);
  const [, shop = "", what = "", order = ""] = url.pathname.split("/");
  if (url.pathname === new URL(redirectUri).pathname) {
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const begun = sessions.get(session);
    sessions.delete(session);
    if (begun === undefined) {
      response.writeHead(400).end("Begin at /<shop>/connect.");
      return;
    }
    const { key } = await oauth.callback(url, begun.pending);
    database.prepare("insert or replace into shops (name, key) values (?, ?)").run(begun.shop, key);
    response.end(`${begun.shop} is connected`);
    return;
  }
  if (what === "connect") {
    const { url: location, pending } = await oauth.authorizationUrl();
    const session = randomUUID();
    sessions.set(session, { shop, pending });
    response.writeHead(302, { location, "set-cookie": `session=${session}; HttpOnly; Path=/` }).end();
    return;
  }
  if (what === "disconnect") {
    await oauth.revoke(keyOf(shop));
    response.end(`${shop} is disconnected`);
    return;
  }
  const client = oauth.client(keyOf(shop));
  if (what === "dispatch") {
    await client.dispatchOrder(order);
    response.end(`${order} is dispatched`);
  } else {
    const figures = await salesFigures(client, {
      start_date: url.searchParams.get("from") ?? "",
      end_date: url.searchParams.get("to") ?? "",
    });
    response.end(String(figures.total_order_count));
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    const known = error instanceof ComandaError;
    const status =
      known && error.code === "not_signed_in" ? 401 : known && error.code === "not_found" ? 404 : 502;
    response.writeHead(status).end(known ? error.message : "Something went wrong.");
  });
});

// Wait for a running refresh: only its response contains the tokens that still work.
process.once("SIGTERM", () => {
  server.close();
  void oauth.idle().then(() => process.exit());
});
const { hostname, port } = new URL(redirectUri);
server.listen(Number(port), hostname, () => {
  console.log("ready");
});
