/** Chooses the language of a run by its format, the environment and the machine's locale. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { isObject } from "../api/json.js";
import { languages, type Language } from "../languages/language.js";
import { configFolder } from "../state/config-folder.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** A program that reads these formats reads the errors and notices beside them, too. */
const programFormats: readonly string[] = ["json", "csv"];

/** The first of: English where the output is for a program; COMANDA_LANG; the locale. */
export function chooseLanguage(
  argv: readonly string[],
  env: Variables,
  systemLocale: () => string | undefined = windowsLocale,
): Language {
  if (typedFormats(argv).some((format) => programFormats.includes(format))) return "en";
  return languageOf(env["COMANDA_LANG"]) ?? languageOf(posixLocale(env) ?? systemLocale() ?? "") ?? "en";
}

/** A tag in COMANDA_LANG that comanda doesn't speak counts as unset. */
export function unknownLanguage({ COMANDA_LANG: tag }: Variables): string | undefined {
  return tag && languageOf(tag) === undefined ? tag : undefined;
}

/**
 * Gives the formats that a command line names. It is read without the parser, as the command line may be what is wrong
 * with it.
 */
export function typedFormats(argv: readonly string[]): readonly string[] {
  const words = optionsIn(argv);
  const named = words.flatMap((word, index) => {
    if (word.startsWith("--format=")) return [word.slice("--format=".length)];
    return words[index - 1] === "--format" ? [word] : [];
  });
  return [...(words.includes("--json") ? ["json"] : []), ...named];
}

/** Options end at a `--`. */
export function optionsIn(argv: readonly string[]): readonly string[] {
  return argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined);
}

/**
 * Gives the language of a tag such as `pt-BR`, `pt_BR.UTF-8`, `pt`, `en-GB`. `undefined` for one that comanda doesn't
 * speak.
 */
function languageOf(tag: unknown): Language | undefined {
  const [word = ""] = typeof tag === "string" ? tag.split(/[^A-Za-z]/) : [];
  return languages.find((language) => language.slice(0, 2) === word.toLowerCase());
}

/**
 * Reads the settings before the program is loaded. Whoever needs more of them reads them again, and tells what is wrong
 * with them.
 */
export function uncheckedSettings(env: Variables): Readonly<Record<string, unknown>> {
  const folder = configFolder(env);
  if (folder === undefined) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(path.join(folder, "settings.json"), "utf8"));
    return isObject(settings) ? settings : {};
  } catch {
    return {};
  }
}

function posixLocale(env: Variables): string | undefined {
  return [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find((value) => value);
}

/** Only Windows has no locale in the environment. Elsewhere this would take a millisecond for nothing. */
function windowsLocale(): string | undefined {
  return process.platform === "win32" ? new Intl.DateTimeFormat().resolvedOptions().locale : undefined;
}
