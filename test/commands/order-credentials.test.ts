/** Status changes of a store whose sign-in has expired or was revoked. */
import { beforeEach, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { startStub, type Behaviour } from "../support/stub-service.js";
import { matching, parseJson, StoreDesk } from "../support/desk.js";

let store: StoreDesk;
let order: string;
beforeEach(async () => {
  store = await StoreDesk.open();
  order = await store.order();
});

const sent = () => store.emulator.service.log.entries().map(({ status }) => status);

/** Saves the store centro with its API key. */
const signIn = (more: Partial<Session> = {}) =>
  store.signIn("centro", 501, (session) => ({ ...session, api_key: store.keyOf(), ...more }));

/** The same, with a token that the service has revoked. */
async function refusedStore(more?: Partial<Session>): Promise<void> {
  await signIn(more);
  store.emulator.service.server.uninstall(501);
  store.forgetRequests();
}

const notice =
  "The sign-in to centro no longer works, so comanda uses the API key. Sign in: comanda login --store centro --env test\n";

test.each([
  ["orders dispatch 4711", "error: Order 4711 at centro: someone has signed in to centro again."],
  ["summary --period yesterday", "error: Someone has signed in to centro again."],
])("%s isn't sent again after another sign-in, which may be to another store", async (line, message) => {
  const { desk } = store;
  const stub = await startStub();
  await desk.signIn("centro", stub.url, "at_first");
  stub.behave((response) => {
    desk.pass(1000);
    void desk.signIn("centro", stub.url, "at_second").then(() => response.writeHead(401).end());
  });
  const { code, stderr } = await desk.run(line);
  expect({ code, requests: stub.requests.length }).toEqual({ code: 3, requests: 1 });
  expect(stderr).toContain(`${message}\n  Service response: HTTP 401\n  Nothing more was sent,`);
});

test.each<[string, Behaviour, object]>([
  ["fails", (response) => void response.destroy(), { code: "unreachable", message: matching(/renewal/) }],
  ["is refused", { status: 400 }, { code: "token_refused", message: "Token expired" }],
])("an order's line has the status of its response if the renewal %s, and a reason", async (...row) => {
  const [, renewal, reason] = row;
  const stub = await startStub();
  await store.desk.signIn("centro", stub.url, "at_old", ({ tokens, ...session }) => ({
    ...session,
    ...(tokens && { tokens: { ...tokens, refresh_token: "rt" } }),
  }));
  stub.behave((response) => {
    const isRenewal = stub.requests.at(-1)?.target.includes("token");
    const answer = isRenewal ? renewal : { status: 401, body: '{"message": "Token expired"}' };
    if (typeof answer === "function") answer(response);
    else response.writeHead(answer.status).end(answer.body);
  });
  const { stdout } = await store.desk.run("orders dispatch 4711 --json");
  expect(parseJson(stdout)).toMatchObject({ outcome: "refused", http_status: 401, ...reason });
});

const old = { access_token: "at_old", expires_at: 1, generation: 1 };
const renewable = { ...old, refresh_token: "rt" };
test.each<[string, Partial<Session>, readonly number[]]>([
  ["dispatches with its API key, and says so once", {}, [401, 204]],
  ["sends no refresh if the token can't be renewed", { tokens: old }, [204]],
  ["sends no refresh if the sign-in was rejected earlier", { refused_at: 5, tokens: renewable }, [204]],
])("a store whose sign-in no longer works %s", async (_, session, statuses) => {
  await refusedStore(session);
  const stdout = `Order ${order} dispatched at centro.\n`;
  expect(await store.comanda(`orders dispatch ${order}`)).toEqual({ code: 0, stdout, stderr: notice });
  expect(store.stored(order).status).toBe("released");
  expect(sent()).toEqual(statuses);
});

test("--dry-run shows which credential would sign, also after a rejected sign-in", async () => {
  const shown = async () => parseJson((await store.comanda("orders dispatch 1 --dry-run --json")).stdout);
  await signIn();
  expect(await shown()).toMatchObject({ headers: { authorization: "Bearer ****" } });
  await refusedStore({ refused_at: 5 });
  expect(await shown()).toMatchObject({ headers: { "x-api-key": "****" } });
  expect((await store.comanda("driver assign 1 11 --dry-run")).code).toBe(3);
});

test.each([
  ["driver assign 1 11", "error: Order 1 at centro: the store centro is not signed in.\n"],
  ["summary --period yesterday", "error: The store centro is not signed in.\n"],
])("%s at a store with only an API key says that the store is not signed in", async (line, message) => {
  await signIn({ tokens: undefined });
  store.forgetRequests();
  const { code, stderr } = await store.comanda(line);
  expect({ code, sent: sent() }).toEqual({ code: 3, sent: [] });
  expect(stderr).toBe(`${message}  Sign in: comanda login --store centro --env test\n`);
});
