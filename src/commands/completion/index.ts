/** `comanda completion` prints or installs the script by which a shell completes comanda's commands. */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { writeWhole } from "../../state/whole-file.js";
import { variable, type Context } from "../../toolkit/context.js";
import { printable } from "../../cli/escape.js";
import type { Command } from "../../toolkit/command.js";
import { driversNamed, readDrivers } from "../driver/by-name.js";
import { oneStore, type CommandLine } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import { scripts, shells, type Shell } from "./scripts.js";

interface ValuesRequest {
  readonly kind: "values";
  readonly start: string;
  readonly store: string | undefined;
}

export type CompletionOptions =
  | { readonly kind: "script"; readonly shell: Shell }
  | { readonly kind: "install"; readonly shell: Shell | undefined }
  /** The scripts ask for names of drivers. */
  | ValuesRequest;

type CompletionResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "installed"; readonly shell: Shell; readonly file: string; readonly next: string };

export const completion: Command<CompletionOptions, CompletionResult> = {
  description: {
    usage: "completion <action> [shell] [start]",
    summary: "completion by Tab, for bash, zsh, fish and PowerShell",
    description:
      "`completion bash` (or another shell) prints its script; `completion install` writes it where the shell looks for it, " +
      "and says where. Completed are commands, options, closed values, filter fields, periods, and the stores, " +
      "environments and drivers that this machine knows.",
    takes: ["store"],
    examples: ["completion bash", "completion install fish"],
  },
  parse: readAction,
  async run(machine, options) {
    switch (options.kind) {
      case "script":
        return { kind: "text", text: scripts[options.shell] };
      case "install":
        return install(machine.context, options.shell ?? shellOf(machine.context));
      case "values":
        return { kind: "text", text: await valuesOf(machine, options) };
    }
  },
  present(result, output) {
    if (result.kind === "text") {
      output.text(result.text);
      return;
    }
    const { shell, file, next } = result;
    if (output.json) output.value({ shell, file, next });
    else output.sentence(t`Written: ${file}. ${next}`);
  },
};

/** @throws {ComandaError} `usage` for a word that is neither a shell nor an action */
function readAction(line: CommandLine): CompletionOptions {
  const [action = "", second, start = ""] = line.words;
  const shell = shells.find((shell) => shell === action);
  if (shell !== undefined) return { kind: "script", shell };
  if (action === "install") {
    const chosenShell = shells.find((shell) => shell === second);
    if (chosenShell !== undefined || second === undefined) return { kind: "install", shell: chosenShell };
  }
  if (action === "values" && second === "drivers")
    return { kind: "values", start, store: oneStore(line.globals) };
  throw new ComandaError("usage", t`There is no completion for "${second ?? action}".`, {
    hint: t`There are: ${shells.join(", ")}. To write one where the shell looks: comanda completion install`,
  });
}

/** @throws {ComandaError} `usage` where SHELL doesn't name a known shell */
function shellOf(context: Context): Shell {
  const name = path.basename(variable(context, "SHELL") ?? "");
  const shell = shells.find((candidate) => candidate === name);
  if (shell !== undefined) return shell;
  if (context.host.platform === "win32") return "powershell";
  throw new ComandaError("usage", t`Which shell is meant can't be told from SHELL.`, {
    hint: t`Name it: comanda completion install bash`,
  });
}

/** @throws {ComandaError} `configuration` without a home folder, `invalid_input` where the file can't be written */
function install(context: Context, shell: Shell): CompletionResult {
  const home = variable(context, "HOME") ?? variable(context, "USERPROFILE");
  if (home === undefined) {
    throw new ComandaError("configuration", t`This user has no home folder.`, {
      hint: t`Write it yourself: comanda completion ${shell} > FILE`,
    });
  }
  const { file, next } = placeOf(context, shell, home);
  try {
    for (const folder of foldersOf(file)) if (!existsSync(folder)) mkdirSync(folder, { mode: 0o755 });
    writeWhole(file, scripts[shell]);
  } catch (error) {
    throw new ComandaError("invalid_input", t`${file} can't be written.`, {
      hint: t`Write it yourself: comanda completion ${shell} > FILE`,
      cause: error,
    });
  }
  return { kind: "installed", shell, file, next };
}

function foldersOf(file: string): readonly string[] {
  const folder = path.dirname(file);
  return path.dirname(folder) === folder ? [] : [...foldersOf(folder), folder];
}

/** @returns the file, and what a person still has to do */
function placeOf(
  context: Context,
  shell: Shell,
  home: string,
): { readonly file: string; readonly next: string } {
  const config = variable(context, "XDG_CONFIG_HOME") ?? path.join(home, ".config");
  const data = variable(context, "XDG_DATA_HOME") ?? path.join(home, ".local", "share");
  const zshFolder = path.join(variable(context, "ZDOTDIR") ?? home, ".zfunc");
  const bashFolder = variable(context, "BASH_COMPLETION_USER_DIR") ?? path.join(data, "bash-completion");
  const powershellFile = path.join(config, "comanda", "completion.ps1");
  const places = {
    bash: {
      file: path.join(bashFolder, "completions", "comanda"),
      next: t`New terminals have it, where the package bash-completion is installed. Else put into ~/.bashrc: source <(comanda completion bash)`,
    },
    zsh: {
      file: path.join(zshFolder, "_comanda"),
      next: t`Put into ~/.zshrc, if it isn't there: fpath=(${zshFolder} $fpath); autoload -Uz compinit; compinit`,
    },
    fish: { file: path.join(config, "fish", "completions", "comanda.fish"), next: t`New terminals have it.` },
    powershell: {
      file: powershellFile,
      next: t`Put into the file that $PROFILE names: . "${powershellFile}"`,
    },
  };
  return places[shell];
}

type Offer = readonly [text: string, meaning: string];

/** Gives each offer a line: the text, a tab, and the meaning, which is safe for a terminal. */
async function valuesOf(machine: Machine, request: ValuesRequest): Promise<string> {
  const offers = await drivers(machine, request);
  return offers.map(([text, meaning]) => `${text}\t${printable(meaning.replaceAll(/\s+/g, " "))}\n`).join("");
}

/** Drivers are offered by id, or by name once a letter is typed. A name with other signs is never offered. */
async function drivers(machine: Machine, { start, store }: ValuesRequest): Promise<readonly Offer[]> {
  const stores = store === undefined ? [] : [store];
  const [alias = ""] = await machine.storeAliases({ stores, allStores: false });
  const knownDrivers = await readDrivers(machine, alias);
  if (/^\d*$/.test(start))
    return knownDrivers
      .map(({ id, name }) => [String(id), name] as const)
      .filter(([id]) => id.startsWith(start));
  return driversNamed(knownDrivers, start)
    .filter(({ name }) => /^\p{L}[\p{L}\p{M}\p{Nd} .-]*$/u.test(name))
    .map(({ id, name }) => [name, String(id)] as const);
}
