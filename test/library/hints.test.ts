/** Hints: the command line names commands and flags, the library options and functions. */
import { describe, expect, test } from "vitest";

import { ComandaError, completeHint } from "../../src/base/errors.js";
import type { HintFacts } from "../../src/base/hint-facts.js";
import { hintFor } from "../../src/cli/hints.js";
import { clientHint, programHint, oauthHint } from "../../src/library/hints.js";
import { startEmulator } from "../../src/library/emulator.js";
import { createClient } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { errorOf } from "../client/support/scripted.js";
import { everyHint } from "../support/hint-kinds.js";
import { sessionsIn, signIn } from "./support/signed-in.js";
import { closing, temporaryFolder } from "../support/resources.js";

/** Commands and flags, which a program can't use. */
const commandWords = /\bcomanda |--/;

const errorAbout = (hintFacts: HintFacts) => new ComandaError("configuration", "It failed.", { hintFacts });

describe.each(everyHint)("a hint about $about", (hintFacts) => {
  test("has a text for the command line", () => {
    expect(completeHint(errorAbout(hintFacts), hintFor).hint).toMatch(/\S/);
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
  expect(completeHint(error, hintFor).hint).toBe(hint);
});

describe("a program gets a hint", async () => {
  const emulator = closing(await startEmulator({ orders: 1 }));

  test("that names the store if it is signed out or has no key", async () => {
    const folder = temporaryFolder();
    await signIn(emulator, folder, "norte");
    await sessionsIn(folder).update("norte", (session) =>
      Promise.resolve(session && { ...session, tokens: undefined }),
    );
    const { clientOptions } = await fileSession({ folder, env: {} });
    const signedOut = createClient(clientOptions);
    expect(await errorOf(signedOut.dispatchOrder("1"))).toMatchObject({
      code: "not_signed_in",
      hint: "Sign in to norte (environment local) with comanda's command line.",
    });
    expect(await errorOf(signedOut.createPrefilledOrder({ order_type: "takeout" }))).toMatchObject({
      hint: "Save the key of norte with comanda's command line.",
    });
  });

  test("to sign in again, from its own call and from a client's", async () => {
    const folder = temporaryFolder();
    await signIn(emulator, folder, "norte", { refresh_token: "wrong", expires_at: 0 });
    const { clientOptions } = await fileSession({ folder, env: {} });
    const hint = "Sign in to norte (environment local) with comanda's command line.";
    const own = async () => clientOptions.credentials.bearer?.();
    for (const call of [own, () => createClient(clientOptions).dispatchOrder("1")])
      expect(await errorOf(call())).toMatchObject({ code: "token_refused", hint });
  });
});
