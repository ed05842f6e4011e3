import { expect, test } from "vitest";

import type { Group } from "../../../src/contract/models.js";
import { distinctLabels } from "../../../src/sales/present/labels.js";

const named = (key: Group["key"], label: string | null = null) => ({ key, label });

test.each([
  [
    "two drivers of one name",
    [named(11, "Ana"), named(12, "Ana"), named(13, "Bia")],
    ["Ana (11)", "Ana (12)", "Bia"],
  ],
  [
    "a text and no value at all",
    [named("Não informado", "Não informado"), named(null, "Não informado")],
    ['Não informado ("Não informado")', "Não informado (none)"],
  ],
  [
    "an empty text, a blank and nothing",
    [named("", ""), named(" ", " "), named(null)],
    ['""', '" "', "(none)"],
  ],
  ["a number and its digits", [named(1), named("1")], ["1 (1)", '1 ("1")']],
  ["blanks at the end", [named("a"), named("a ")], ['a ("a")', 'a  ("a ")']],
])("%s can be told apart", (_, groups, labels) => {
  expect(distinctLabels(groups)).toEqual(labels);
  expect(new Set(labels).size).toBe(labels.length);
});
