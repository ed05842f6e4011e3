/** The part of the process that a command may use. `src/cli` makes the real one, and tests make their own. */
import type { Readable } from "node:stream";

import type { Transport } from "../client/http/transport.js";
import type { TransportOptions } from "../client/http/undici-transport.js";
import type { Clock } from "../client/clock.js";
import type { System } from "../state/system.js";
import type { CriticalSections } from "../state/critical-sections.js";
import type { HostProcess } from "../state/locks/process-identity.js";
import type { OutputStream } from "../cli/progress.js";
import type { ColorChoice } from "../cli/style.js";

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
  /** Delivers each key of a terminal as it is pressed, Ctrl-C too. */
  setRawMode?(on: boolean): unknown;
}

/** stdout or stderr. The property `stream` opens it as a stream of Node's, which takes time. */
export interface StandardStream extends OutputStream {
  readonly stream: NodeJS.WritableStream;
}

/** These signals end a program that doesn't listen for them. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT";

export interface Context {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: HostProcess;
  readonly system: System;
  /** A transport that replaces the network. */
  readonly openTransport?: (options: TransportOptions) => Transport;
  readonly stdin: InputStream;
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  readonly clock: Clock;
  /** Aborted when the program is interrupted or terminated; its reason is a `ComandaError`. */
  readonly signal: AbortSignal;
  /** Aborted when requests that are out are given up: at a second signal, or 3 s after the first. */
  readonly grace: AbortSignal;
  /**
   * Lets a command hand signals on to another program.
   *
   * @returns removes the listener
   */
  readonly onSignal: (listener: (signal: EndingSignal) => void) => () => void;
  /** An interrupt has to wait for this work: the write of a rotated token. */
  readonly critical: CriticalSections;
  /** Closes files at the end, which takes longer: other programs can read a database as one file then. */
  readonly closeFiles?: () => void;
  readonly openBrowser: (url: string) => Promise<void>;
  /** The command that starts this program: Node and the script, or one executable that is both. */
  readonly self: readonly [executable: string, ...first: string[]];
}

/** An empty variable counts as unset. */
export function variable({ env }: Pick<Context, "env">, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/** Does a person sit in front of both ends? Node opens stdin at the first look at it, which takes 4 ms. */
export function hasPerson({ stdin, stderr }: Pick<Context, "stdin" | "stderr">): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Is there a screen in front of this machine that a browser can open on? Not at the far end of an SSH. */
export function hasScreen({ env, host }: Pick<Context, "env" | "host">): boolean {
  const isSet = (name: string) => variable({ env }, name) !== undefined;
  if (["SSH_CONNECTION", "SSH_TTY"].some(isSet)) return false;
  return host.platform !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some(isSet);
}

export interface RunSettings {
  /** Milliseconds for one request; the default is the client's. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds that a call may wait for a place within the rate limit. */
  readonly maxWaitMs: number;
  readonly debug: boolean;
  readonly color: ColorChoice;
  /** May anything be asked? */
  readonly input: boolean;
  /** Results and errors are shown, notices and progress are not. */
  readonly quiet: boolean;
}
