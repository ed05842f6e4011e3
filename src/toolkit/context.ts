/** What a command is given: the world, as small as it can be. `src/cli` makes the real one, tests their own. */
import type { Readable } from "node:stream";

import type { Transport, TransportOptions } from "../client/index.js";
import type { Clock } from "../shared/clock.js";
import type { System } from "../shared/system.js";
import type { CriticalSections } from "../state/locks/critical-sections.js";
import type { ProcessTable } from "../state/locks/process-identity.js";
import type { HostProcess } from "../state/locks/process-identity.js";
import type { OpenSqlite } from "../state/sqlite-driver.js";
import type { ColorChoice, OutputStream } from "../terminal/index.js";

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
  /** Lets each key of a terminal come as it is pressed. Ctrl-C is one of them. */
  setRawMode?(on: boolean): unknown;
}

/** stdout or stderr. It is opened as a stream for those who need one. */
export interface StandardStream extends OutputStream {
  readonly stream: NodeJS.WritableStream;
}

/** What ends a program that doesn't listen. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT";

export interface Context {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: HostProcess;
  /** The disk, and chance. */
  readonly system: System;
  /** A transport that replaces the network. */
  readonly openTransport?: (options: TransportOptions) => Transport;
  /** A table that replaces the machine's processes. */
  readonly processes?: ProcessTable;
  /** Opens databases in place of the real SQLite. */
  readonly openSqlite?: OpenSqlite;
  readonly stdin: InputStream;
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  readonly clock: Clock;
  /** Aborted when the program is interrupted or terminated; its reason is a `ComandaError`. */
  readonly signal: AbortSignal;
  /** Aborted when what was under way by then has had its time: at a second signal, or 3 s after the first. */
  readonly grace: AbortSignal;
  /**
   * Each of these signals as it comes, for a command that hands them on to another program.
   *
   * @returns takes the listener away
   */
  readonly onSignal: (listener: (signal: EndingSignal) => void) => () => void;
  /**
   * Stops the program as Ctrl-Z does, with all that was started along with it, until it is gone on with; absent where a
   * system has no such thing (Windows). It resolves too where no shell looks after jobs, which stops nobody.
   */
  readonly suspend?: () => Promise<void>;
  /**
   * Each time that the program goes on after it was stopped, by whatever.
   *
   * @returns takes the listener away
   */
  readonly onContinued: (listener: () => void) => () => void;
  /**
   * Does this work when the program ends, however it does, and before a fault is told: a terminal is given back as it was.
   *
   * @returns takes the work away
   */
  readonly atExit: (work: () => void) => () => void;
  /** Work that an interrupt has to wait for: the write of a rotated token. */
  readonly critical: CriticalSections;
  /** Lets what is open be closed at the end, which takes longer: other programs read a database as one file then. */
  readonly closeFiles?: () => void;
  readonly openBrowser: (url: string) => Promise<void>;
  /** Shows a long text by another program, a command line of the shell's; absent where there is no terminal. */
  readonly page?: (command: string, text: string) => Promise<void>;
  /** How this very program is started: Node and the script, or one executable that is both. */
  readonly self: readonly [executable: string, ...first: string[]];
}

/** A variable that is set to nothing counts as not set. */
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

/** The options of all commands that say how a run goes, whatever the command does. */
export interface RunSettings {
  /** Milliseconds for one request; the default is the client's. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds that a call may wait for a place within the rate limit. */
  readonly maxWaitMs: number;
  readonly debug: boolean;
  readonly color: ColorChoice;
  /** For a screen reader: no colours, bars or marks, and nothing that moves the cursor. */
  readonly plain: boolean;
  /** May a long table be shown by the pager? */
  readonly pager: boolean;
  /** May anything be asked? */
  readonly input: boolean;
  /** The members or columns of a result that are wanted, in their order; all of them by default. */
  readonly fields?: readonly string[] | undefined;
  /** An expression of the jq language over each JSON value of a result. */
  readonly jq?: string | undefined;
  /** JSON: a line for each value. */
  readonly lines?: boolean | undefined;
  /** CSV: parted by tabs. */
  readonly tabs?: boolean | undefined;
  /** In place of CSV: a workbook of spreadsheets. */
  readonly workbook?: boolean | undefined;
  /** A file for what would go to stdout. */
  readonly outputFile?: string | undefined;
  /** Results and errors alone: no notices, no progress. */
  readonly quiet: boolean;
}

/** Who is written down as having sent something, where that is said. A name of blanks alone is none. */
export function actorOf(context: Context): string | undefined {
  const name = variable(context, "COMANDA_ACTOR");
  return name?.trim() === "" ? undefined : name;
}
