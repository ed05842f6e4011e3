/** What is wrong with a text as YAML, and so as JSON, in words for who wrote it rather than for who parses it. */
import type { ErrorCode, YAMLError } from "yaml";
import { t, translated } from "../../shared/language.js";

/** @param text the one that the error's position is in */
export function syntaxFault({ code, message, pos: [from] }: YAMLError, text: string): string {
  if (/call stack/i.test(message)) return t`is nested too deeply`;
  if (code === "DUPLICATE_KEY")
    return t`${/["']?([^"':\s]*)/.exec(text.slice(from))?.[1] ?? t`a field`} is there twice`;
  const closing = /end with a ([\]}])/.exec(message)?.[1];
  if (closing !== undefined)
    return closing === "]"
      ? t`a list isn't closed: ${closing} is missing`
      : t`a group of fields isn't closed: ${closing} is missing`;
  for (const [pattern, fault] of byMessage) if (pattern.test(message)) return translated(fault);
  const [character = ""] = /^./su.exec(text.slice(from)) ?? [];
  const ofCode = byCode[code];
  switch (code) {
    case "BAD_SCALAR_START":
      return t`a text that begins with ${character} has to be in quotes`;
    case "BAD_DQ_ESCAPE":
      return t`${text.slice(from, from + 2)} means nothing in double quotes; for a backslash write two`;
    default:
      return ofCode === undefined
        ? t`can't be read here; check the quotes and the indentation`
        : translated(ofCode);
  }
}

/** One code of the library's stands for several slips. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/closing .quote/, "a quote isn't closed"],
  [/^Missing , between/, "a comma is missing"],
  [/^Missing , or :/, "a colon or a comma is missing"],
  [/^Missing space after :/, "a space is missing after the colon"],
  [/^Comments must be/, "a space is missing before the #"],
  [/followed by map values/, "a colon is missing after the field's name"],
  [/item without -/, '"- " is missing before a member of the list'],
  [/^Unexpected (?:,|empty item)/, "there is a comma too many"],
  [/on same line with key/, "a list begins on the line below its name"],
  [/^Block scalar header/, "nothing but a comment can follow | or > on its line"],
];

const marks = "& and * and ! have a meaning in YAML: put a text that begins with one in quotes";

const byCode: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: marks,
  BAD_ALIAS: marks,
  BAD_PROP_ORDER: marks,
  MULTIPLE_ANCHORS: marks,
  MULTIPLE_TAGS: marks,
  TAG_RESOLVE_FAILED: marks,
  BLOCK_IN_FLOW: "inside [ ] and { } a comma has to stand between two members",
  BAD_INDENT: "isn't indented as the lines around it are",
  TAB_AS_INDENT: "is indented with a tab; use spaces",
  BLOCK_AS_IMPLICIT_KEY:
    'a field can\'t begin here; check the indentation, and put a text that holds ": " in quotes',
  MULTILINE_IMPLICIT_KEY: "a colon is missing after the field's name",
  MULTIPLE_DOCS: "a second document begins here; for many orders give JSON Lines, with --lines",
  KEY_OVER_1024_CHARS: "a field's name is longer than 1,024 characters",
};
