import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseStoreAlias, storeFileName } from "../../src/state/sessions.js";
import { rejection } from "./support/rejection.js";

describe("a store's alias", () => {
  test.each([
    ["downtown"],
    ["loja-2"],
    ["A"],
    ["praça.central"],
    ["東京_店"],
    ["a".repeat(40)],
    ["𠮷".repeat(40)],
  ])("%j is one", (alias) => {
    expect(parseStoreAlias(alias)).toBe(alias);
  });

  test("is kept in its composed form", () => {
    expect(parseStoreAlias("prac\u0327a")).toBe("praça");
  });

  test.each([
    ["", "first a letter"],
    [" downtown", "can't be"],
    ["down town", "can't be"],
    [".hidden", "can't be"],
    ["-s", "can't be"],
    ["../etc", "can't be"],
    ["a/b", "can't be"],
    ["a\u0000", "can't be"],
    ["a\n", "can't be"],
    ["a\u202Eb", "can't be"],
    ["🍕", "can't be"],
    ["\uD800", "can't be"],
    ["a".repeat(41), "40"],
  ])("%j is none", async (text, reason) => {
    const error = await rejection("invalid_input", () => parseStoreAlias(text));
    expect(error.message).toContain(reason);
    // What is quoted is quoted as JSON: nothing raw from an argument reaches the terminal.
    expect(error.message).not.toMatch(/\p{Cc}/u);
  });
});

describe("the file name of an alias", () => {
  test.each([
    ["Downtown", "s-downtown"],
    ["con", "s-con"],
    ["praça", "s-pra%c3%a7a"],
  ])("of %j is %j", (alias, name) => {
    expect(storeFileName(alias)).toBe(name);
  });

  test("does not depend on letter case", () => {
    expect(storeFileName("LOJA-Ç")).toBe(storeFileName("loja-ç"));
  });

  /** Letters and digits of several scripts, in both cases where they have two, so that two aliases are often nearly alike. */
  const letter = fc.constantFrom(...Array.from("aAkKzZçÇéÉßẞıİſ東店ह𠮷07٣"));
  const aliases = fc
    .tuple(letter, fc.array(fc.oneof(letter, fc.constantFrom(".", "_", "-")), { maxLength: 30 }))
    .map(([first, others]) => [first, ...others].join("").normalize("NFC"));

  test("is plain, short, and different for different stores", () => {
    fc.assert(
      fc.property(aliases, aliases, letter, (alias, another, last) => {
        // Also two that differ at their end alone.
        for (const [one, other] of [
          [alias, another],
          [`${alias}a`, `${alias}${last}`],
        ] as const) {
          const [a, b] = [storeFileName(one), storeFileName(other)];
          expect(a).toMatch(/^s-[a-z0-9._%~-]+$/);
          expect(a.length).toBeLessThanOrEqual(150);
          expect(a === b).toBe(one.toLowerCase().normalize("NFC") === other.toLowerCase().normalize("NFC"));
        }
      }),
    );
  });

  test("of the longest alias still leaves room in a name of 255 bytes", () => {
    const name = storeFileName("𠮷".repeat(40));
    expect(name.length).toBeLessThanOrEqual(150);
    expect(name).not.toBe(storeFileName("𠮷".repeat(39)));
  });
});
