/** Sign-ins: what holds on both engines, and what files alone have. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { WithLease } from "../../src/state/leases.js";
import { openSessions, parseStoreAlias, storeFileName } from "../../src/state/sessions.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";
import { places } from "./support/states.js";

function open(folder = temporaryFolder()) {
  const sessions = openState(folder).sessions;
  const file = (name: string) => path.join(folder, "sessions", name);
  const add = (store: string) => sessions.update(store, () => Promise.resolve(session(store)));
  return { folder, sessions, file, add };
}

const leaseless: WithLease = (_name, work) =>
  work({ assertHeld: () => undefined, leftMs: () => 90_000, extend: () => Promise.resolve() });

for (const place of places) {
  describe.skipIf(!place.isInstalled)(`sign-ins in ${place.name}`, () => {
    async function openStores(...stores: readonly string[]) {
      const { open: openPlace, shelfOf } = await place.create();
      const state = await openPlace();
      for (const store of stores) await state.sessions.update(store, () => Promise.resolve(session(store)));
      return { one: state.sessions, other: (await openPlace()).sessions, texts: shelfOf(state) };
    }

    test("are found whatever the letter case, listed by name, and removed", async () => {
      const { one, other } = await openStores();
      expect([await one.read("Downtown"), await one.list()]).toEqual([undefined, []]);
      for (const store of ["zebra", "Downtown", "Ärger", "x.json"])
        await one.update(store, () => Promise.resolve(session(store)));
      expect(await other.read("DOWNTOWN")).toEqual(session("Downtown"));
      expect((await other.list()).map(({ store }) => store)).toEqual([
        "Downtown",
        "x.json",
        "zebra",
        "Ärger",
      ]);
      await other.remove("downtown");
      await one.remove("downtown");
      expect(await one.read("downtown")).toBeUndefined();
    });

    test("are changed under the lease: written at once, more than once, or not at all", async () => {
      const { one, other } = await openStores("a");
      expect(await other.update("b", () => Promise.resolve(undefined))).toBeUndefined();
      const result = await one.update("a", async (current, write) => {
        expect(current).toEqual(session("a"));
        await write(session("a", 2));
        expect((await other.read("a"))?.tokens?.generation).toBe(2);
        await write(session("a", 3));
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

    test("are not written over by whoever has read an older one", async () => {
      const { one, texts } = await openStores("a");
      // As if the lease had been lost, and the process had not seen it.
      const late = openSessions(texts, leaseless).update("a", async (_current, write) => {
        await one.update("a", () => Promise.resolve(session("a", 7)));
        await write(session("a", 2));
        return undefined;
      });
      await expect(late).rejects.toMatchObject({ code: "lock_timeout" });
      expect((await one.read("a"))?.tokens?.generation).toBe(7);
    });

    test("have other names in one step, which may be taken", async () => {
      const { one, other } = await openStores("old", "b");
      await one.rename("OLD", "Neu");
      expect(await one.read("old")).toBeUndefined();
      expect(await other.read("neu")).toEqual(session("Neu"));
      await one.rename("neu", "NEU");
      expect((await other.read("neu"))?.store).toBe("NEU");
      await rejection("invalid_input", () => one.rename("neu", "B"));
      await rejection("lock_timeout", () => one.rename("nobody", "c"));
      // Two in opposite directions don't wait for each other.
      const results = await Promise.allSettled([one.rename("neu", "b"), other.rename("b", "neu")]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect((await one.list()).map(({ store }) => store)).toEqual(["b", "NEU"]);
    });
  });
}

test("a rename that a kill cut off between its two steps has changed nothing", async () => {
  const { sessions, file, add } = open();
  await add("Old");
  await sessions.rename("old", "Neu");
  renameSync(file("s-neu.json"), file("s-old.json"));
  expect(await sessions.read("old")).toEqual(session("Old"));
  await sessions.rename("old", "Neu");
  expect(await sessions.list()).toEqual([session("Neu")]);
});

describe("a file that can't be used", () => {
  const secret = "hush-hush-token";
  const valid = JSON.stringify({ ...session("a"), api_key: secret });

  test.each<[string, string, string]>([
    ["cut short", valid.slice(0, -20), "damaged"],
    ["not JSON, around a secret", `{"api_key": ${secret}}`, "damaged"],
    ["a field missing", JSON.stringify({ ...session("a"), environment: undefined }), "damaged"],
    ["a moment that no clock shows", valid.replace('"expires_at":1', '"expires_at":9e21'), "damaged"],
    ["a newer version", valid.replace('"version":1', '"version":2'), "newer version of comanda"],
    ["another store's", JSON.stringify(session("b")), "damaged"],
  ])("%s: every way to it says so, none writes over it or tells its content", async (_, text, reason) => {
    const { sessions, file } = open();
    mkdirSync(path.dirname(file("s-a.json")));
    writeFileSync(file("s-a.json"), text, { mode: 0o600 });
    const list = async () => {
      const [found] = await sessions.list();
      if (found && "error" in found) throw found.error;
    };
    const ways = [
      () => sessions.read("a"),
      () => sessions.update("a", () => Promise.resolve(session("a"))),
      () => sessions.rename("a", "c"),
      list,
    ];
    for (const way of ways) {
      const error = await rejection("state_unusable", way);
      expect(error.message).toContain(file("s-a.json"));
      expect(error.message).toContain(reason);
      const told = `${error.message} ${error.hint ?? ""} ${String(error.cause)} ${error.stack ?? ""}`;
      expect(told).not.toContain(secret.slice(0, 6));
    }
    expect(readFileSync(file("s-a.json"), "utf8")).toBe(text);
    await sessions.remove("A");
    expect(await sessions.list()).toEqual([]);
  });
});

describe("a store's alias", () => {
  test("can have letters and digits of all scripts, and is kept in its composed form", () => {
    for (const alias of ["loja-2", "A", "praça.central", "東京_店", "a".repeat(40), "𠮷".repeat(40)])
      expect(parseStoreAlias(alias)).toBe(alias);
    expect(parseStoreAlias("prac\u0327a")).toBe("praça");
  });

  test.each([
    ...["", " downtown", "down town", ".hidden", "-s", "../etc"],
    ...["a\u0000", "a\n", "a\u202Eb", "🍕", "\uD800", "a".repeat(41)],
  ])("can't be %j", async (text) => {
    const error = await rejection("invalid_input", () => parseStoreAlias(text));
    // What is quoted is quoted as JSON: nothing raw from an argument reaches the terminal.
    expect(error.message).not.toMatch(/\p{Cc}/u);
    const { sessions } = open();
    for (const way of [
      () => sessions.read(text),
      () => sessions.update(text, () => Promise.resolve(undefined)),
      () => sessions.remove(text),
      () => sessions.rename("a", text),
    ])
      await rejection("invalid_input", way);
  });

  /** Letters and digits of several scripts, in both cases where they have two, so that two aliases are often nearly alike. */
  const letter = fc.constantFrom(...Array.from("aAkKzZçÇéÉßẞıİſ東店ह𠮷07٣"));
  const aliases = fc
    .tuple(letter, fc.array(fc.oneof(letter, fc.constantFrom(".", "_", "-")), { maxLength: 38 }))
    .map(([first, others]) => [first, ...others].join("").normalize("NFC"));

  test("has file names that are plain, short, and different for different stores", () => {
    fc.assert(
      fc.property(aliases, aliases, letter, (alias, another, last) => {
        // Also two that differ at their end alone.
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
