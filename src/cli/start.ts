/**
 * Reads the words of the command line and answers every help before the program is loaded: the texts are made at build
 * time (.config/build.mjs) from the command tree itself.
 */
import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { gunzipSync } from "node:zlib";

import type { Language } from "../shared/language.js";
import { withSystemQuotes } from "../shared/shell-word.js";
import { narrowHelp } from "../terminal/narrow.js";

import { chooseLanguage } from "./choose-language.js";
import type { StartWords } from "./help-texts.js";
import { readProgramFile } from "./program-files.js";
import { isFileOrPipe } from "./standard-stream.js";

/** What is said before a catalogue is loaded. */
function words(): StartWords {
  const all = JSON.parse(readProgramFile("start-words.json").toString()) as Record<Language, StartWords>;
  return all[chooseLanguage(process.argv.slice(2), process.env)];
}

/** `process.stdout` costs more to open than these texts to print, and `node:tty` a tenth of what Node needs to start. */
export function print(help: string): void {
  const isTerminal = !isFileOrPipe(1) && isatty(1);
  const text = narrowHelp(help, isTerminal ? process.stdout.columns : undefined);
  try {
    writeSync(1, text);
  } catch {
    // The pipe is full or closed, and the stream deals with both.
    process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EPIPE") return;
      process.exitCode = 2;
      process.stderr.write(`${words().unwritten.replace("{code}", code ?? "?")}\n`);
    });
    process.stdout.write(text);
  }
}

/** `--help` prints a screen, `comanda help <command>` the whole. */
interface HelpRequest {
  readonly words: string;
  readonly length: "screen" | "whole";
}

/** @returns `undefined` where the line has other words, too */
function helpRequestOf(argv: readonly string[]): HelpRequest | undefined {
  const isCommand = argv[0] === "help";
  const words = isCommand ? argv.slice(1) : argv.slice(0, -1);
  const isHelp = isCommand || argv.length === 0 || argv.at(-1) === "--help" || argv.at(-1) === "-h";
  if (!isHelp || !words.every((word) => /^[a-z]/.test(word))) return undefined;
  return { words: words.join(" "), length: isCommand ? "whole" : "screen" };
}

/** Helps of one language and length. */
export interface HelpFile {
  /** Many helps share a line, which stands here once. */
  readonly lines: readonly string[];
  /** The indices of a command's lines, by the words of the command. */
  readonly texts: Readonly<Record<string, readonly number[]>>;
}

/** @returns `undefined` for an unknown command, which the command tree explains */
function helpOf({ words, length }: HelpRequest, argv: readonly string[]): string | undefined {
  const language = chooseLanguage(argv, process.env);
  // A whole help may take a moment, so it is kept as gzip.
  const file =
    length === "whole"
      ? gunzipSync(readProgramFile(`help-whole.${language}.json.gz`))
      : readProgramFile(`help-screen.${language}.json`);
  const { lines, texts } = JSON.parse(file.toString()) as HelpFile;
  return Object.hasOwn(texts, words) ? texts[words]?.map((index) => lines[index]).join("\n") : undefined;
}

/** @param argv the words after `comanda` */
export async function start(argv: readonly string[]): Promise<void> {
  const request = helpRequestOf(argv);
  const help = request && helpOf(request, argv);
  if (help === undefined) return runProgram(argv);
  const text = withSystemQuotes(help, process.platform);
  print(argv.length === 0 ? await withNextStep(text) : text);
}

/** Completion is answered before the program is loaded, since the shells ask at each Tab. */
async function runProgram(argv: readonly string[]): Promise<void> {
  let line = argv;
  if (argv[0] === "complete") {
    const { complete } = await import("./complete.js");
    const programLine = complete(argv.slice(1));
    if (programLine === undefined) return;
    line = programLine;
  }
  const { main } = await import("./program.js");
  await main(line);
}

async function withNextStep(help: string): Promise<string> {
  const { nextStep } = await import("./next-step.js");
  return `${help}${nextStep(words())}`;
}
