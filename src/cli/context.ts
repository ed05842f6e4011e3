/** What a command works with: the process's streams, signals and clock, the options of every command, output and state. */
import type { Readable } from "node:stream";

import type { Clock } from "../base/clock.js";
import type { Transport } from "../client/transport.js";
import type { DatabaseName } from "../state/database.js";
import type { Format } from "./records.js";
import type { State } from "../state/state.js";
import { createOutput, type Draw, type OutputStream } from "./output.js";

export type InputStream = Readable & { readonly isTTY?: boolean };

/** stdout or stderr. Where it is no terminal, the property `stream` opens it as a stream of Node's, which takes time. */
export type StandardStream = OutputStream & {
  readonly stream: NodeJS.WritableStream;
  /** Has its reader still to take what was written? */
  readonly isBehind?: boolean;
};

export type HostProcess = Pick<NodeJS.Process, "pid" | "platform" | "version" | "arch" | "kill">;

/** The part of the process that a command may use. `program.ts` makes the real one, and tests make their own. */
export interface ProcessContext {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: HostProcess;
  /** A function, since Node takes 4 ms to open it at the first look. */
  readonly stdin: () => InputStream;
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  readonly clock: Clock;
  /** Aborted when the program is interrupted or terminated; its reason is a `ComandaError`. */
  readonly signal: AbortSignal;
  /** Aborted when requests that are out are given up: at a second signal, or 3 s after the first. */
  readonly grace: AbortSignal;
  /** Lets a command hand signals on to another program. @returns removes the listener */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** An interrupt has to wait for this work: the write of a rotated token. */
  readonly critical: Set<Promise<unknown>>;
  /** Receives the name of each database that is opened as a file. */
  readonly openFiles?: Set<DatabaseName>;
  readonly openBrowser: (url: string) => Promise<void>;
  /** As of {@link createOutput}. */
  readonly alsoDraw?: (draw: Draw) => unknown;
  /** What all command lines of a server share; a command opens its own. */
  readonly state?: (() => Promise<State>) | undefined;
  /** The command that starts this program: Node and the script. */
  readonly self: readonly [executable: string, ...first: string[]];
}

/** The options of every command. */
export interface GlobalOptions {
  /** The alias that `--store` names, for a command that works at one store. */
  readonly store: string | undefined;
  readonly stores: readonly string[];
  readonly allStores?: boolean;
  /** The output lists stores, as it does with `--all-stores` even if there is only one. */
  readonly several: boolean;
  readonly format: Format;
  readonly dryRun?: boolean;
  /** Milliseconds for one request; the default is the client's. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds that a call may wait for a place within the rate limit. */
  readonly maxWaitMs: number;
  readonly debug?: boolean;
  readonly color: boolean;
  readonly input: boolean;
  readonly quiet?: boolean;
}

export type Context = Awaited<ReturnType<typeof openContext>>;

export async function openContext(process: ProcessContext, options: GlobalOptions) {
  const { stderr } = process;
  const output = await createOutput(process, options);
  // What the calls of a command share: the network, which is closed in the end, the end of the wait that was told last, whether the
  // waits for the rate limit were told at the start, and how many requests were repeated because the service didn't answer.
  const opened: { transport?: Transport; waitsUntil?: number; isAnnounced?: boolean; retries: number } = {
    retries: 0,
  };
  let state: Promise<State> | undefined;
  const forget = (error: unknown) => {
    state = undefined;
    throw error;
  };
  return {
    ...process,
    options,
    output,
    opened,
    /** Writes a line of `--debug`. Absent without that option. */
    debug: options.debug ? (message: string) => output.notice(`debug: ${message}`) : undefined,
    /** Sessions, settings and figures, on the disk or in a chain's database; opened once, and tried again if it can't be. */
    state:
      process.state ??
      (async () => {
        const { openState } = await import("../state/state.js");
        return (state ??= openState({ ...process, warn: (message) => output.warn(message) }).catch(forget));
      }),
    /** May a question be asked? Only where a person sits in front of both ends, and didn't say `--no-input`. */
    canAsk: () => options.input && stderr.isTTY === true && process.stdin().isTTY === true,
  };
}

export const baseUrlVariable = "COMANDA_BASE_URL";

/** An empty variable counts as unset. */
export function variable({ env }: Pick<ProcessContext, "env">, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/** May an address be another machine's by http? For tests alone. */
export function allowsInsecure(context: Pick<ProcessContext, "env">): boolean {
  return variable(context, "COMANDA_ALLOW_INSECURE") === "1";
}

/** What a program that is started for a scratch machine gets of this one: no store, credential or place of its own, but the language. */
export function foreignVariables({ env }: Pick<ProcessContext, "env">): ProcessContext["env"] {
  const isOurs = (name: string) => name.startsWith("COMANDA_") && name !== "COMANDA_LANG";
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
}

/** Is there a screen in front of this machine that a browser can open on? Not at the far end of an SSH. */
export function hasScreen({ env, host }: Pick<ProcessContext, "env" | "host">): boolean {
  const isSet = (name: string) => variable({ env }, name) !== undefined;
  if (["SSH_CONNECTION", "SSH_TTY"].some(isSet)) return false;
  return host.platform !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some(isSet);
}
