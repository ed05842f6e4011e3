/** The context of a command: streams, signals, clock, global options, output and state. */
import type { Readable } from "node:stream";

import { variable } from "../base/basics.js";
import type { ComandaError } from "../base/errors.js";
import type { Transport } from "../client/transport.js";
import type { StoreSelection } from "../core/connection.js";
import type { Workspace } from "../core/workspace.js";
import type { DatabaseName } from "../state/database.js";
import type { Format } from "./records.js";
import type { State } from "../state/state.js";
import { createNotifier } from "./notices.js";
import { createOutput, type OutputStream } from "./output.js";

export type InputStream = Readable & { readonly isTTY?: boolean };

/** stdout or stderr. If it isn't a terminal, reading `stream` opens one of Node's streams, which takes time. */
export type StandardStream = OutputStream & { readonly stream: NodeJS.WritableStream };

/** The part of the process that a command may use. Tests create their own. */
export interface ProcessContext extends Pick<Workspace, "env" | "clock" | "signal" | "grace" | "critical"> {
  readonly host: Pick<NodeJS.Process, "pid" | "platform" | "version" | "arch" | "kill" | "on" | "off">;
  /** A function, because Node takes 4 ms to open stdin. */
  readonly stdin: () => InputStream;
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  /** `lost`: why stdout lost a text, unless its reader has left. `isOver`: the work is done, but not all output may be written. */
  readonly end?: { lost?: ComandaError; isOver?: boolean };
  /** Receives the name of each database that is opened as a file. */
  readonly openFiles?: Set<DatabaseName>;
  readonly openBrowser: (url: string) => Promise<void>;
  /** The command that starts this program: Node and the script. */
  readonly self: readonly [executable: string, ...first: string[]];
}

export interface GlobalOptions extends StoreSelection, Pick<Workspace, "timeoutMs" | "maxWaitMs"> {
  /** The alias in `--store`, for a command that uses one store. */
  readonly store: string | undefined;
  readonly format: Format;
  readonly dryRun?: boolean;
  readonly debug?: boolean;
  readonly color: boolean;
  readonly input: boolean;
  readonly quiet?: boolean;
}

export type Context = Awaited<ReturnType<typeof openContext>>;

export async function openContext(process: ProcessContext, options: GlobalOptions) {
  const { stderr } = process;
  const output = await createOutput(process, options);
  const notifier = createNotifier(output, process.clock);
  let transport: Transport | undefined;
  let state: Promise<State> | undefined;
  const { timeoutMs, maxWaitMs } = options;
  const workspace: Workspace = {
    ...process,
    pid: process.host.pid,
    timeoutMs,
    maxWaitMs,
    debug: options.debug ? (message: string) => output.notice(`debug: ${message}`) : undefined,
    state: async () => {
      const { openState } = await import("../state/state.js");
      state ??= openState({ ...process, maxWaitMs, warn: notifier.warn });
      return state.catch((error: unknown) => {
        state = undefined;
        throw error;
      });
    },
    transport: async () => {
      const { createTransport } = await import("../client/http.js");
      if (!transport && process.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
        notifier.notify({ type: "warning", about: "insecure_tls" });
      return (transport ??= createTransport({ env: process.env }, true));
    },
    notify: notifier.notify,
  };
  return {
    ...process,
    options,
    output,
    workspace,
    /** Returns whether comanda may prompt: only on a terminal, and without `--no-input`. */
    canAsk: () => options.input && stderr.isTTY === true && process.stdin().isTTY === true,
    endNotices: notifier.end,
    async close(): Promise<void> {
      notifier.end();
      await transport?.close();
    },
  };
}

/** Returns the workspace of a command that cron runs for its findings. Without a terminal, it announces no calls and no waits. */
export function withoutProgress({ output, workspace }: Context): Workspace {
  if (output.status.isShown) return workspace;
  const notify: Workspace["notify"] = (notice) => {
    if (notice.type !== "progress" && notice.type !== "wait") workspace.notify(notice);
  };
  return { ...workspace, notify };
}

/** Returns the environment without comanda's variables, except the language, for a program that gets its own store and folder. */
export function foreignVariables({ env }: Pick<ProcessContext, "env">): ProcessContext["env"] {
  const isOurs = (name: string) => name.startsWith("COMANDA_") && name !== "COMANDA_LANG";
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
}

/** Returns whether a browser can open on this machine's screen, which isn't so in an SSH session. */
export function hasScreen({ env, host }: Pick<ProcessContext, "env" | "host">): boolean {
  const isSet = (name: string) => variable({ env }, name) !== undefined;
  if (["SSH_CONNECTION", "SSH_TTY"].some(isSet)) return false;
  return host.platform !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some(isSet);
}
