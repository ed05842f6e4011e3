/** Hints: the command line names commands and flags, the library options and functions. */
import { beforeEach, describe, expect, test } from "vitest";

import { ComandaError, completeHint } from "../../src/base/errors.js";
import type { HintFacts } from "../../src/base/hint-facts.js";
import { completeCommandHint } from "../../src/cli/hints.js";
import { createProgram } from "../../src/cli/main.js";
import { clientHint, programHint, oauthHint } from "../../src/library/hints.js";
import { startEmulator } from "../../src/library/emulator.js";
import { createClient, type ClientOptions } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { createMemoryTokenStore, createOAuth } from "../../src/library/oauth.js";
import { errorOf } from "../client/support/scripted.js";
import { templatesOfSource } from "../languages/support/sentences.js";
import { testContext } from "../support/context.js";
import { freePort } from "../support/free-port.js";
import { everyHint } from "../support/hint-kinds.js";
import { signIn } from "./support/signed-in.js";
import { closing, temporaryFolder } from "../support/cleanup.js";

/** Commands and flags, which a program can't use. */
const commandWords = /\bcomanda |--/;

const errorAbout = (hintFacts: HintFacts) => new ComandaError("configuration", "It failed.", { hintFacts });

describe.each(everyHint)("a hint about $about", (hintFacts) => {
  test("has a text for the command line", () => {
    expect(completeCommandHint(errorAbout(hintFacts)).hint).toMatch(/\S/);
  });

  test.each([
    ["createClient", clientHint],
    ["comanda/node", programHint],
    ["comanda/oauth", oauthHint],
  ])("contains no command and no flag for a program of %s", (entry, hintOf) => {
    const { hint = "" } = completeHint(errorAbout(hintFacts), hintOf);
    expect(hint).not.toMatch(commandWords);
    if (entry !== "createClient") expect(hint).toMatch(/\S/);
  });
});

test("a hint is completed once, and its facts are never logged", () => {
  const error = errorAbout({ about: "timeout" }).reworded("It took too long.");
  expect(JSON.stringify(error)).not.toContain("hintFacts");
  expect(Object.keys(error)).not.toContain("hintFacts");
  const { hint } = completeHint(error, clientHint);
  expect(completeCommandHint(error).hint).toBe(hint);
});

test("texts that the library shares with the command line contain no command and no flag", async () => {
  const names = (await createProgram(testContext())).commands.map((command) => command.name());
  const named = new RegExp(String.raw`\bcomanda (?:${names.join("|")})\b|--[a-z]`);
  const shared = /^src\/(?:api|auth|base|client|state)\//;
  const texts = templatesOfSource().filter(({ place }) => shared.test(place));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter(({ key }) => named.test(key)).map(({ place, key }) => `${place} ${key}`)).toEqual([]);
});

describe("a program", async () => {
  let folder = "";
  const emulator = closing(await startEmulator({ orders: 1 }));
  beforeEach(() => {
    folder = temporaryFolder();
  });

  async function failure(work: Promise<unknown>): Promise<ComandaError> {
    const error = await errorOf(work);
    expect(error.hint).toMatch(/\S/);
    expect(error.hint).not.toMatch(commandWords);
    return error;
  }

  const client = (changes: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: emulator.baseUrl,
      credentials: {},
      maxRetries: 0,
      rateLimiter: false,
      ...changes,
    });
  const credentials = { bearer: () => Promise.resolve("wrong") };

  test.each<[string, () => Partial<ClientOptions>, string]>([
    ["without a credential", () => ({}), "Add credentials.bearer."],
    ["with a rejected token", () => ({ credentials }), "credentials.renew"],
    [
      "with a short timeout",
      () => ({ credentials, timeoutMs: 1, fetch: () => new Promise<never>(() => undefined) }),
      "timeoutMs",
    ],
  ])("%s gets a hint that names its options", async (_, options, words) => {
    const query = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };
    const { hint } = await failure(client(options()).summary(query));
    expect(hint).toContain(words);
  });

  test("gets a hint that lists the stores, or how to sign in to one", async () => {
    const none = await failure(fileSession({ folder, env: {} }));
    expect(none).toMatchObject({ code: "not_signed_in" });
    await signIn(emulator, folder, "norte");
    const unknown = await failure(fileSession({ folder, store: "centro", env: {} }));
    expect(unknown).toMatchObject({ code: "invalid_input", hint: "Known stores: norte." });
    await signIn(emulator, folder, "sul");
    const several = await failure(fileSession({ folder, env: {} }));
    expect(several).toMatchObject({ code: "usage", hint: expect.stringContaining("norte, sul") as string });
  });

  test("gets a hint to sign in again, from its own call and from a client's", async () => {
    await signIn(emulator, folder, "norte", { refresh_token: "wrong", expires_at: 0 });
    const { clientOptions } = await fileSession({ folder, env: {} });
    const own = await failure(Promise.resolve(clientOptions.credentials.bearer?.()));
    const called = await failure(createClient(clientOptions).dispatchOrder("1"));
    expect(own.code).toBe("token_refused");
    expect(called.code).toBe("token_refused");
    expect(called.hint).toBe("Sign in to norte (environment local) with comanda's command line.");
  });

  test("of comanda/oauth gets hints that name its functions and options", async () => {
    const { baseUrl, authUrl, clientId, redirectUri } = emulator;
    const options = { authUrl, baseUrl, clientId, redirectUri, store: createMemoryTokenStore() };
    for (const wrong of [{ baseUrl: "http://a.example" }, { redirectUri: "#" }, { authUrl: "" }])
      await failure(Promise.resolve().then(() => createOAuth({ ...options, ...wrong })));
    const oauth = createOAuth(options);
    expect(await failure(oauth.credentials("unknown").bearer())).toMatchObject({ code: "not_signed_in" });
    expect(await failure(oauth.revoke("unknown"))).toMatchObject({ code: "not_signed_in" });
    const { pending } = await oauth.authorizationUrl();
    const back = new URL(redirectUri);
    back.searchParams.set("state", pending.state);
    const denied = new URL(back);
    denied.searchParams.set("error", "access_denied");
    expect(await failure(oauth.callback(denied, pending))).toMatchObject({ code: "access_denied" });
    back.searchParams.set("code", "wrong");
    expect(await failure(oauth.callback(back, pending))).toMatchObject({ code: "token_refused" });
    const away = createOAuth({ ...options, baseUrl: `http://127.0.0.1:${await freePort()}` });
    expect(await failure(away.callback(back, pending))).toMatchObject({ code: "unreachable" });
  });
});
