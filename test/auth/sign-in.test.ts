import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { signIn, type SignInOptions } from "../../src/auth/sign-in.js";
import { createTransport } from "../../src/client/http.js";
import type { Environment, Session, SessionStore } from "../../src/state/sessions.js";
import { openState, temporaryFolder } from "../state/support/folder.js";
import { steppedClock } from "../client/support/clock.js";
import { freePort } from "../support/resources.js";
import { hinted } from "../support/rejection.js";
import { get } from "./support/raw-http.js";
import { testEnvironment, testSession, testTokens } from "./support/sessions.js";
import { raw, startTokenService, tokens, type TokenService } from "./support/token-service.js";

const transport = createTransport();
let service: TokenService;
let clock: ReturnType<typeof steppedClock>;
let sessions: SessionStore;
let environment: Environment;
/** The notices to the user. */
let notices: unknown[];

beforeEach(async () => {
  service = await startTokenService();
  clock = steppedClock();
  sessions = openState(temporaryFolder()).sessions;
  notices = [];
  const redirect_uri = `http://127.0.0.1:${await freePort()}/callback`;
  environment = testEnvironment({ base_url: service.baseUrl, redirect_uri });
});
afterEach(async () => {
  // The port is closed, whatever the outcome.
  expect((await get(environment.redirect_uri)).status).toBeNaN();
});

const store = (session: Session) => sessions.update(session.store, () => Promise.resolve(session));

/** Starts a sign-in and waits until its URL is shown. */
async function begin(changes: Partial<SignInOptions> = {}) {
  let shown: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => (shown = resolve));
  const done = signIn({
    environment,
    store: "centro",
    sessions,
    transport,
    clock,
    notify: (message) => notices.push(message),
    ...changes,
    showUrl: (address) => {
      changes.showUrl?.(address);
      shown(address);
    },
  });
  done.catch(() => undefined);
  const { searchParams } = new URL(await Promise.race([url, done.then(() => "")]));
  const state = searchParams.get("state") ?? "";
  const back = (answer: Record<string, string>) =>
    `${environment.redirect_uri}?${new URLSearchParams({ state, ...answer }).toString()}`;
  return { done, back };
}

const notRevoked = "The previous sign-in to centro could not be revoked and may stay valid until it expires.";

test.each([
  ["succeeds", raw(200, ""), []],
  ["fails", raw(503, ""), [notRevoked]],
])("a sign-in keeps the API key, and reports a revocation that fails: it %s", async (_, end, expected) => {
  const old = { api_key: "key-1", tokens: testTokens({ generation: 4 }), refused_at: 5 };
  await store(testSession(environment, old));
  service.answer = (...args) => (args[1].path.endsWith("/revoke") ? end : tokens())(...args);
  const { done, back } = await begin();
  await get(back({ code: "c" }));
  expect(await done).toMatchObject({ api_key: "key-1", tokens: { generation: 5 } });
  expect(await done).not.toHaveProperty("refused_at");
  expect(service.requests.at(1)?.form["token"]).toBe("refresh-1");
  expect(notices).toEqual(expected);
});

describe("a sign-in stores nothing", () => {
  afterEach(async () => {
    expect(await sessions.read("centro")).toBeUndefined();
  });

  test.each([
    ["access_denied", "access_denied", "store's owner must allow the app"],
    ["invalid_client", "configuration", "client id"],
    ["\u001b[31m", "invalid_request", "client id"],
  ])("if the portal returns the error %j, which the page reports", async (error, code, advice) => {
    const { done, back } = await begin();
    const page = await get(back({ error, error_description: "text of\u0007 the service" }));
    expect(page.body).toContain("The sign-in failed");
    expect(page.body).not.toContain("text of");
    const message = expect.not.stringMatching(/\p{Cc}/u) as string;
    const hint = expect.stringContaining(advice) as string;
    await expect(hinted(done)).rejects.toMatchObject({ code, message, hint });
    expect(service.requests).toHaveLength(0);
  });

  test("if it is interrupted before the write, and revokes the tokens", async () => {
    const abort = new AbortController();
    const { done, back } = await begin({ signal: abort.signal });
    const update = sessions.update.bind(sessions);
    sessions.update = (...args) => {
      abort.abort(new Error("Ctrl-C"));
      return update(...args);
    };
    await get(back({ code: "c" }));
    await expect(done).rejects.toThrow("Ctrl-C");
    const revoked = service.requests.filter(({ path }) => path.endsWith("/revoke"));
    expect(revoked.map(({ form }) => form["token"])).toEqual(["refresh-2", "access-2"]);
  });

  test("if five minutes pass", async () => {
    const { done, back } = await begin();
    expect((await get(back({ state: "wrong", code: "c" }))).status).toBe(400);
    await clock.runAll();
    await expect(done).rejects.toMatchObject({ code: "not_signed_in", exitCode: 3 });
    expect(clock.now()).toBe(300_000);
  });
});

test("a sign-in to a store whose key is for another address fails before a browser opens", async () => {
  const old = { ...environment, base_url: "https://old.example" };
  await store(testSession(old, { api_key: "key-1" }));
  const openBrowser = () => Promise.reject(new Error("must not open"));
  const beginning = begin({ openBrowser, showUrl: () => notices.push("shown") });
  await expect(beginning).rejects.toThrow("(https://old.example).");
  expect(notices).toEqual([]);
});

describe("a pasted redirect URL", () => {
  test("completes a sign-in whose redirect URI isn't on this machine", async () => {
    const redirect_uri = "https://app.example/done";
    const problems: (string | undefined)[] = [];
    let state = "";
    const { done } = await begin({
      environment: { ...environment, redirect_uri },
      promptForRedirect: (problem) => {
        problems.push(problem);
        return Promise.resolve(`${redirect_uri}?code=c&state=${problem === undefined ? "wrong" : state}`);
      },
      showUrl: (url) => (state = new URL(url).searchParams.get("state") ?? ""),
    });
    expect((await done).environment.redirect_uri).toBe(redirect_uri);
    expect(problems).toEqual([undefined, "That address doesn't belong to this sign-in."]);
  });

  test("is no longer prompted for after the browser's callback", async () => {
    let end: AbortSignal | undefined;
    const { done, back } = await begin({
      promptForRedirect: (_, signal) => {
        end = signal;
        return new Promise(() => undefined);
      },
    });
    await get(back({ code: "c" }));
    await done;
    expect(end?.aborted).toBe(true);
  });
});
