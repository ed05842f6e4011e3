import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { printable, safeJson, safeJsonText } from "../../src/cli/text.js";
import { anyText } from "../support/any-text.js";

// eslint-disable-next-line no-control-regex -- they are what must not be left
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const texts = anyText({ maxLength: 60 });

describe("printable", () => {
  test.each([
    ["plain", "plain"],
    ["São João 🍕", "São João 🍕"],
    ["\u001b[31mred", String.raw`\x1b[31mred`],
    ["a\r\nb\tc", String.raw`a\r\nb\tc`],
    ["\u009b2J", String.raw`\x9b2J`],
    ["\u202etxt.exe", String.raw`\u202etxt.exe`],
    ["\u007f", String.raw`\x7f`],
  ])("%j is shown as %s", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("leaves nothing that a terminal acts upon, whatever comes", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(printable(text)).not.toMatch(harmful);
        expect(printable(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("safeJson", () => {
  test("is the same value to a reader, without a raw control", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(texts, texts)), (value) => {
        expect(safeJson(value)).not.toMatch(harmful);
        expect(JSON.parse(safeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("keeps a text from the service digit by digit", () => {
    const sent = '{"id":12345678901234567890,"total":7.50,"name":"\u009b\u202e"}';
    expect(safeJsonText(sent)).toBe(
      String.raw`{"id":12345678901234567890,"total":7.50,"name":"\u009b\u202e"}`,
    );
  });
});
