/** Stores sign-ins in files and in PostgreSQL. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { WithLease } from "../../src/state/leases.js";
import { openSessions, parseStoreAlias, storeFileName } from "../../src/state/sessions.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "../support/rejection.js";
import { session } from "../auth/support/sessions.js";
import { engines, textsOf } from "./support/states.js";

function open(folder = temporaryFolder()) {
  const sessions = openState(folder).sessions;
  const file = (name: string) => path.join(folder, "sessions", name);
  const add = (store: string) => sessions.update(store, () => Promise.resolve(session(store)));
  return { folder, sessions, file, add };
}

const leaseless: WithLease = (_name, work) =>
  work({ assertHeld: () => undefined, leftMs: () => 90_000, extend: () => Promise.resolve() });

describe.each(engines)("sign-ins on $name", (engine) => {
  async function openStores(...stores: readonly string[]) {
    const openAgain = await engine.create();
    const state = await openAgain();
    for (const store of stores) await state.sessions.update(store, () => Promise.resolve(session(store)));
    return { one: state.sessions, other: (await openAgain()).sessions, texts: textsOf(state) };
  }

  test("are found in any letter case, listed by name, and removed", async () => {
    const { one, other } = await openStores();
    expect(await one.read("Downtown")).toBeUndefined();
    expect(await one.list()).toEqual([]);
    for (const store of ["zebra", "Downtown", "Ärger", "x.json"])
      await one.update(store, () => Promise.resolve(session(store)));
    expect(await other.read("DOWNTOWN")).toEqual(session("Downtown"));
    const names = (await other.list()).map(({ store }) => store);
    expect(names).toEqual(["Downtown", "x.json", "zebra", "Ärger"]);
    await other.remove("downtown");
    await one.remove("downtown");
    expect(await one.read("downtown")).toBeUndefined();
  });

  test("are changed under the lease, with no write, one, or several", async () => {
    const { one, other } = await openStores("a");
    expect(await other.update("b", () => Promise.resolve(undefined))).toBeUndefined();
    const result = await one.update("a", async (current, lease) => {
      expect(current).toEqual(session("a"));
      await lease.write(session("a", 2));
      expect((await other.read("a"))?.tokens?.generation).toBe(2);
      await lease.write(session("a", 3));
      return undefined;
    });
    expect(result).toEqual(session("a", 3));
    await expect(one.update("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await one.read("a")).toEqual(session("a", 3));
    const countUp = (sessions: typeof one) =>
      sessions.update("a", (now) => Promise.resolve(session("a", (now?.tokens?.generation ?? 0) + 1)));
    await Promise.all([one, other, one, other].map(countUp));
    expect((await one.read("a"))?.tokens?.generation).toBe(7);
  });

  test("are not overwritten by a process that read an older one", async () => {
    const { one, texts } = await openStores("a");
    // The process has lost its lease without noticing.
    const late = openSessions(texts, leaseless).update("a", async (_current, lease) => {
      await one.update("a", () => Promise.resolve(session("a", 7)));
      await lease.write(session("a", 2));
      return undefined;
    });
    await expect(late).rejects.toMatchObject({ code: "lock_timeout" });
    expect((await one.read("a"))?.tokens?.generation).toBe(7);
  });

  test("are renamed atomically, unless the new name exists", async () => {
    const { one, other } = await openStores("old", "b");
    await one.rename("OLD", "Neu");
    expect(await one.read("old")).toBeUndefined();
    expect(await other.read("neu")).toEqual(session("Neu"));
    await one.rename("neu", "NEU");
    expect((await other.read("neu"))?.store).toBe("NEU");
    await rejection("invalid_input", () => one.rename("neu", "B"));
    await rejection("lock_timeout", () => one.rename("missing", "c"));
    // Two renames in opposite directions must not wait for each other.
    const results = await Promise.allSettled([one.rename("neu", "b"), other.rename("b", "neu")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await one.list()).map(({ store }) => store)).toEqual(["b", "NEU"]);
  });
});

test("a rename that was killed between its two steps has no effect", async () => {
  const { sessions, file, add } = open();
  await add("Old");
  await sessions.rename("old", "Neu");
  renameSync(file("s-neu.json"), file("s-old.json"));
  expect(await sessions.read("old")).toEqual(session("Old"));
  await sessions.rename("old", "Neu");
  expect(await sessions.list()).toEqual([session("Neu")]);
});

describe("a session file", () => {
  const secret = "hush-hush-token";
  const valid = JSON.stringify({ ...session("a"), api_key: secret });

  test.each<[string, string, string]>([
    ["invalid JSON around a secret", `{"api_key": ${secret}}`, "damaged"],
    ["an impossible date", valid.replace('"expires_at":1', '"expires_at":9e21'), "damaged"],
    ["a newer version", valid.replace('"version":1', '"version":2'), "newer version of comanda"],
    ["another store's session", JSON.stringify(session("b")), "damaged"],
  ])("with %s is named in each function's error and never overwritten or quoted", async (_, text, reason) => {
    const { sessions, file } = open();
    mkdirSync(path.dirname(file("s-a.json")));
    writeFileSync(file("s-a.json"), text, { mode: 0o600 });
    const list = async () => {
      const [found] = await sessions.list();
      if (found && "error" in found) throw found.error;
    };
    const functions = [
      () => sessions.read("a"),
      () => sessions.update("a", () => Promise.resolve(session("a"))),
      () => sessions.rename("a", "c"),
      list,
    ];
    for (const run of functions) {
      const error = await rejection("state_unusable", run);
      expect(error.message).toContain(file("s-a.json"));
      expect(error.message).toContain(reason);
      const shown = `${error.message} ${error.hint ?? ""} ${String(error.cause)} ${error.stack ?? ""}`;
      expect(shown).not.toContain(secret.slice(0, 6));
    }
    expect(readFileSync(file("s-a.json"), "utf8")).toBe(text);
    await sessions.remove("A");
    expect(await sessions.list()).toEqual([]);
  });
});

describe("a store's alias", () => {
  test("can contain letters and digits of all scripts, and is normalized", () => {
    for (const alias of ["loja-2", "A", "praça.central", "東京_店", "a".repeat(40), "𠮷".repeat(40)])
      expect(parseStoreAlias(alias)).toBe(alias);
    expect(parseStoreAlias("prac\u0327a")).toBe("praça");
  });

  test.each([
    ...["", " downtown", ".hidden", "-s", "../etc"],
    ...["a\u0000", "a\n", "a\u202Eb", "🍕", "\uD800", "a".repeat(41)],
  ])("can't be %j", async (text) => {
    const error = await rejection("invalid_input", () => parseStoreAlias(text));
    // The alias is quoted as JSON, so no control character reaches the terminal.
    expect(error.message).not.toMatch(/\p{Cc}/u);
    const { sessions } = open();
    for (const run of [
      () => sessions.read(text),
      () => sessions.update(text, () => Promise.resolve(undefined)),
      () => sessions.remove(text),
      () => sessions.rename("a", text),
    ])
      await rejection("invalid_input", run);
  });

  /** Letters and digits of several scripts in upper and lower case, so two aliases are often similar. */
  const letter = fc.constantFrom(...Array.from("aAkKzZçÇéÉßẞıİſ東店ह𠮷07٣"));
  const aliases = fc
    .tuple(letter, fc.array(fc.oneof(letter, fc.constantFrom(".", "_", "-")), { maxLength: 38 }))
    .map(([first, others]) => [first, ...others].join("").normalize("NFC"));

  test("has a short ASCII file name that is unique for each store", () => {
    fc.assert(
      fc.property(aliases, aliases, letter, (alias, another, last) => {
        for (const [one, other] of [
          [alias, another],
          [`${alias}a`, `${alias}${last}`],
        ] as const) {
          const [a, b] = [storeFileName(one), storeFileName(other)];
          expect(a).toMatch(/^s-[a-z0-9._%~-]{1,148}$/);
          expect(a === b).toBe(one.toLowerCase().normalize("NFC") === other.toLowerCase().normalize("NFC"));
        }
      }),
    );
  });
});
