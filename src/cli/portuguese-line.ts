/** Replaces Portuguese words of a command line by English ones, and English ones of helps by Portuguese ones. */
import { currentLanguage, translated } from "../shared/language.js";
import { plainWords } from "../shared/plain-words.js";

import {
  argumentWords,
  commandWords,
  figureWords,
  filterFieldWords,
  filterValueWords,
  memberWords,
  optionWords,
  placeholders,
  topicWords,
  valueWords,
  type Words,
} from "./portuguese-words.js";

const longOf: Words = { "-s": "--store", "-p": "--period", "-f": "--filter", "-o": "--output" };

/** Options of every command whose value may stand before the command's name. */
const optionsWithValue = /^--(?:store|format|fields|jq|output|timeout|max-wait|lang)$/;

/** The word after a group names a command, and no file or store. */
const groups = /^(?:orders|driver|cache|history|stores|config|state|env|schedule|emulator)$/;

/** @param argv the words after `comanda` */
export function toEnglishWords(argv: readonly string[]): readonly string[] {
  if (argv[0] === "complete") return argv;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const englishOptions = argv.slice(0, end).map(englishOption);
  const start = placeOfCommand(englishOptions);
  const { path, length } = pathOf(englishOptions.slice(start));
  // Another program's arguments and the service's data stay as they were typed.
  const runsProgram = path.join(" ") === "emulator exec";
  const rawArguments = runsProgram ? argv.slice(start + length, end) : englishOptions.slice(start + length);
  const argument = argumentWords[path.join(" ")];
  const englishArgument = (word: string, index: number) =>
    (argument?.place === index ? meaningOf(argument.words, word) : undefined) ??
    englishValue(word, rawArguments[index - 1]);
  const rest = runsProgram || path[0] === "api" ? rawArguments : rawArguments.map(englishArgument);
  return helpLine([...englishOptions.slice(0, start), ...path, ...rest, ...argv.slice(end)]);
}

/** `comanda orders cancel --help --all` is another way to say `comanda help orders cancel`. */
function helpLine(argv: readonly string[]): readonly string[] {
  const [help = "", all = ""] = argv.slice(-2);
  const asksForAll = all === "--all" && (help === "--help" || help === "-h");
  return asksForAll ? ["help", ...argv.slice(0, -2)] : argv;
}

function englishOption(word: string): string {
  const [, name, value = ""] = /^--([^=\s]+)(=.*)?$/s.exec(word) ?? [];
  const option = name === undefined ? undefined : meaningOf(optionWords, name);
  return option === undefined ? word : `${option}${value}`;
}

function placeOfCommand(words: readonly string[]): number {
  const place = words.findIndex((word, index) => !word.startsWith("-") && !takesValue(words[index - 1]));
  return place < 0 ? words.length : place;
}

function takesValue(word: string | undefined): boolean {
  return word !== undefined && optionsWithValue.test(longOf[word] ?? word);
}

/** @returns the names of the command, and how many of the words they stand for */
function pathOf(words: readonly string[]): { readonly path: readonly string[]; readonly length: number } {
  const [first, second] = words;
  if (first === undefined) return { path: [], length: 0 };
  const path = (meaningOf(commandWords, first) ?? first).split(" ");
  if (path[0] === "help") {
    const topic = words.length === 2 && second !== undefined ? meaningOf(topicWords, second) : undefined;
    const topics = topic === undefined ? toEnglishWords(words.slice(1)) : [topic];
    return { path: [...path, ...topics], length: words.length };
  }
  const [group = "", impliedMember] = path;
  if (second === undefined || second.startsWith("-") || !groups.test(group)) return { path, length: 1 };
  const member = meaningOf(memberWords, second) ?? second;
  // `entregador atribuir` means the same as `entregador`.
  if (impliedMember !== undefined) return { path, length: member === impliedMember ? 2 : 1 };
  return { path: [group, member], length: 2 };
}

function englishValue(word: string, before: string | undefined): string {
  const [, flag, joined] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
  if (flag !== undefined && joined !== undefined) return `${flag}=${valueInEnglish(flag, joined)}`;
  return before === undefined ? word : valueInEnglish(longOf[before] ?? before, word);
}

function valueInEnglish(option: string, value: string): string {
  if (option === "--filter") return englishFilter(value);
  if (option === "--alert")
    return value.replace(/^\s*[\p{L} -]+/u, (name) => meaningOf(figureWords, name) ?? name);
  const words = valueWords[option];
  if (words === undefined) return value;
  const [, name = "", order = ""] = /^(.*?)(:(?:asc|desc))?$/s.exec(value) ?? [];
  return `${name
    .split(",")
    .map((part) => meaningOf(words, part) ?? part)
    .join(",")}${order}`;
}

function englishFilter(text: string): string {
  const [, name = "", operator = "", value = ""] = /^([^=!<>]*)([=!<>]+)(.*)$/su.exec(text) ?? [];
  if (operator === "") return text;
  const field = meaningOf(filterFieldWords, name) ?? name;
  const words = Object.hasOwn(filterValueWords, field) ? filterValueWords[field] : undefined;
  if (words === undefined) return `${field}${operator}${value}`;
  return `${field}${operator}${value
    .split(",")
    .map((part) => meaningOf(words, part) ?? part)
    .join(",")}`;
}

/** Finds the word whatever its accents, capitals, number and gender. */
function meaningOf(words: Words, text: string): string | undefined {
  const meanings = meaningsOf(words);
  const word = plainWords(text);
  const forms = [
    word,
    `${word}s`,
    word.replace(/oes$/, "ao"),
    word.replace(/e?s$/, ""),
    word.replace(/as?$/, "o"),
  ];
  return forms.map((form) => meanings.get(form)).find((meaning) => meaning !== undefined);
}

/** The meanings of each table by its words without accents. */
const meaningsByTable = new Map<Words, ReadonlyMap<string, string>>();

function meaningsOf(words: Words): ReadonlyMap<string, string> {
  const meanings =
    meaningsByTable.get(words) ??
    new Map(Object.entries(words).map(([word, meaning]) => [withoutAccents(word), meaning]));
  meaningsByTable.set(words, meanings);
  return meanings;
}

/** Unicode's tables, which `plainWords` needs for an accent, take Node half a millisecond of each start to look into. */
function withoutAccents(word: string): string {
  return word.replaceAll(/[^a-z0-9-]/g, (letter) => plainLetters[letter] ?? letter);
}

const plainLetters: Readonly<Record<string, string>> = {
  ...{ á: "a", ã: "a", ç: "c", é: "e", ê: "e", í: "i", ó: "o", ú: "u" },
};

function wordFor(words: Words, meaning: string): string | undefined {
  return Object.keys(words).find((word) => words[word] === meaning);
}

/** Help and completion show the word in Portuguese alone; the list is empty in another language. */
export function shownWords(words: Words, meaning: string): readonly string[] {
  const word = currentLanguage() === "pt-BR" ? wordFor(words, meaning) : undefined;
  return word === undefined ? [] : [word];
}

/** @param path for example `orders cancel` */
export function shownCommand(path: string): string {
  return shownWords(commandWords, path)[0] ?? path;
}

/** @param name of a command within its group */
export function shownMember(name: string): string {
  return shownWords(memberWords, name)[0] ?? name;
}

/** @param flags as commander writes them: `-s, --store <alias>` */
export function shownFlags(flags: string): string {
  return shownPlaceholders(flags).replace(/--[a-z-]+/, (option) => shownOption(option));
}

/** Shows the English name, too, since scripts and messages use it. */
export function shownWithEnglish(flags: string): string {
  return shownPlaceholders(flags).replace(/--[a-z-]+/, (option) =>
    [...new Set([shownOption(option), option])].join(", "),
  );
}

export function shownOption(option: string): string {
  const [word] = shownWords(optionWords, option);
  return word === undefined ? option : `--${word}`;
}

/** @param text has placeholders such as `<alias>` and `[alias...]` */
export function shownPlaceholders(text: string): string {
  if (currentLanguage() !== "pt-BR") return text;
  return text.replaceAll(/(?<=[<[])[a-z@-]+(?=(?:\.\.\.)?[>\]])/g, (name) => placeholders[name] ?? name);
}

/** @param line an example of a help, without the leading `comanda` */
export function shownLine(line: string): string {
  if (currentLanguage() !== "pt-BR") return line;
  const words = translated(line).split(" ");
  const length = [2, 1].find((count) => wordFor(commandWords, words.slice(0, count).join(" "))) ?? 0;
  const path = words.slice(0, length).join(" ");
  return [
    ...(length > 0 ? [shownCommand(path)] : []),
    ...words.slice(length).map((word, index, rest) => shownWord(word, rest[index - 1] ?? "")),
  ].join(" ");
}

function shownWord(word: string, before: string): string {
  if (word.startsWith("--")) return shownOption(word);
  if (before === "--filter" || before === "--alert")
    return word.replaceAll(/[a-z_]{3,}/g, (name) => wordFor(conditionWords, name) ?? name);
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  if (date) return date.slice(1).reverse().join("/");
  const values = valueWords[before];
  return (values && wordFor(values, word)) ?? word;
}

/** The names in a condition, such as `status!=canceled` or `revenue<1500`. */
const conditionWords: Words = { ...filterFieldWords, ...filterValueWords["status"], ...figureWords };
