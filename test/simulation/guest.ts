/**
 * What runs inside of a simulated process: the program itself, from its command line on, over a machine whose every call
 * goes to the simulation. It is bundled and run in a realm of its own, with a queue of its own for what is awaited, so
 * that the simulation can let one process stand still in the middle of a call and run another.
 */
import { createProgram } from "../../src/cli/command-tree.js";
import { runLine } from "../../src/cli/program.js";
import type { HttpAnswer, TransportFailure } from "../../src/client/http/transport.js";
import type { Context } from "../../src/toolkit/context.js";
import type { Disk } from "../../src/shared/disk.js";
import { ComandaError } from "../../src/shared/errors.js";
import { openAnswers } from "../../src/state/answers.js";
import { createCriticalSections } from "../../src/state/locks/critical-sections.js";
import { openSessions } from "../../src/state/sessions/sessions.js";
import { localEnvironment } from "../../src/state/settings/environments.js";
import type { OpenSqlite } from "../../src/state/sqlite/sqlite-driver.js";
import { openLimits } from "../../src/state/limits.js";
import { openStateFolder, type StateFolder } from "../../src/state/state-folder.js";
import { clockOf, diskError, stdinOf, streamTo, transportOf } from "./guest-devices.js";
import type { Place } from "./places.js";
import type { Request } from "./service.js";
import { useDisk, useTime } from "./simulated-fs.js";

/** What the simulation gives one process. Everything is answered at once, or by calling back. */
export interface Hooks {
  readonly pid: number;
  readonly place: Place;
  readonly home: string;
  readonly uid: number;
  /** Throws errors of the process's own realm. */
  readonly disk: Disk;
  /** Throws errors of the process's own realm. */
  readonly openSqlite: OpenSqlite;
  /** What is piped into the process. */
  readonly stdin: string;
  now(): number;
  monotonic(): number;
  /** @returns what takes it back */
  timer(ms: number, fire: () => void, repeats: boolean): () => void;
  /** After whatever has come for the process by now. @returns what takes it back */
  soon(fire: () => void): () => void;
  send(request: Request, events: SendEvents): { isSent(): boolean; giveUp(): void };
  bytes(count: number): Uint8Array;
  fraction(): number;
  /** On its machine. */
  runs(pid: number): boolean;
  print(stream: "stdout" | "stderr", text: string): void;
  exit(code: number): void;
}

export interface SendEvents {
  answer(answer: HttpAnswer): void;
  fail(failure: TransportFailure, sent: boolean): void;
}

/** Who has signed in, before the story. */
export interface SignIn {
  readonly expiresAt: number;
  readonly apiKey: string | undefined;
}

/** What the simulation may ask of a process. */
export interface Guest {
  /** @returns what gives the process SIGTERM */
  start(hooks: Hooks, argv: readonly string[]): () => void;
  /** Keeps a session as a sign-in would have. */
  signIn(hooks: Hooks, signIn: SignIn): void;
  /** Keeps figures of the store that is signed in, and counts a request. */
  keepFigures(hooks: Hooks): void;
  /** Prints which stores there are figures of, and for which requests are counted. */
  tellFigures(hooks: Hooks): void;
  /** An error of this realm, as the disk throws them. */
  diskError(code: string): Error;
  /** As SQLite's driver throws them. */
  sqliteError(code: number, message: string): Error;
}

/** How long after a signal what is out is given up, and how long after that the program ends; as src/cli has it. */
const [graceMs, tellingMs] = [3_000, 500];

function contextOf(hooks: Hooks): { context: Context; terminate: () => void } {
  const [interruption, giveUp] = [new AbortController(), new AbortController()];
  const critical = createCriticalSections();
  const { disk } = hooks;
  useDisk(disk);
  useTime(
    () => hooks.now(),
    () => hooks.fraction(),
  );
  const terminate = () => {
    if (interruption.signal.aborted) return;
    const reason = new ComandaError("terminated", "Terminated.");
    interruption.abort(reason);
    hooks.timer(graceMs, () => giveUp.abort(reason), false);
    hooks.timer(
      graceMs + tellingMs,
      () => void critical.idle().then(() => hooks.exit(reason.exitCode)),
      false,
    );
  };
  const context: Context = {
    version: "0.0.0",
    env: { COMANDA_CONFIG_DIR: hooks.home, NO_COLOR: "1" },
    host: {
      pid: hooks.pid,
      platform: "linux",
      getuid: () => hooks.uid,
      kill(pid) {
        if (!hooks.runs(pid)) throw diskError("ESRCH");
      },
      place: hooks.place,
    },
    system: {
      disk,
      random: {
        bytes: (count) => hooks.bytes(count),
        marks: (count) => hooks.bytes(count),
        fraction: () => hooks.fraction(),
      },
    },
    openTransport: () => transportOf(hooks),
    openSqlite: hooks.openSqlite,
    stdin: stdinOf(hooks),
    stdout: streamTo(hooks, "stdout"),
    stderr: streamTo(hooks, "stderr"),
    clock: clockOf(hooks),
    signal: interruption.signal,
    grace: giveUp.signal,
    onSignal: () => () => undefined,
    onContinued: () => () => undefined,
    atExit: () => () => undefined,
    critical,
    openBrowser: () => Promise.reject(new Error("there is no browser in a simulated world")),
    self: ["node", "comanda"],
  };
  return { context, terminate };
}

/**
 * The tree of commands is made once for each first word: it is data, and commander forgets between two lines what it has
 * read. It takes a tenth of the time of a world. The context that it was made with is another process's each time: one
 * realm runs one process at a time.
 */
const trees = new Map<string, ReturnType<typeof createProgram>>();
const contextNow: { -readonly [Name in keyof Context]?: Context[Name] } = {};

function treeOf(context: Context, argv: readonly string[] = []): ReturnType<typeof createProgram> {
  const word = argv[0] ?? "";
  const tree = trees.get(word) ?? createProgram(context, argv);
  trees.set(word, tree);
  return tree;
}

function folderOf(hooks: Hooks, folder: string): StateFolder {
  const { clock, host, system } = contextOf(hooks).context;
  return openStateFolder({ folder, clock, process: host, system, openSqlite: hooks.openSqlite });
}

export const guest: Guest = {
  start(hooks, argv) {
    const { context: own, terminate } = contextOf(hooks);
    const context = Object.assign(contextNow, own);
    void runLine(context, argv, treeOf).then(async (code) => {
      // A process goes on as long as something is under way, such as a refresh that nobody waits for any more.
      await own.critical.idle();
      hooks.exit(own.signal.aborted ? code || 143 : code);
    });
    return terminate;
  },
  signIn(hooks, { expiresAt, apiKey }) {
    const state = folderOf(hooks, hooks.home);
    const { clock } = state;
    const session = {
      version: 1 as const,
      store: "centro",
      environment: localEnvironment,
      signed_in_at: clock.now(),
      tokens: { access_token: "access-0", refresh_token: "refresh-0", expires_at: expiresAt, generation: 1 },
      ...(apiKey !== undefined && { api_key: apiKey }),
    };
    void openSessions(state)
      .update("centro", () => Promise.resolve(session))
      .then(() => hooks.exit(0));
  },
  keepFigures(hooks) {
    const source = {
      store: "centro",
      environment: localEnvironment.base_url,
      signIn: () => Promise.resolve("1"),
    };
    const settings = { timeZone: undefined, currency: undefined, dayStarts: undefined };
    const query = { start_date: "2026-11-01T00:00:00Z", end_date: "2026-11-02T00:00:00Z" };
    const summary = { total_order_count: 1, total_revenue: 1, average_order_value: 1 };
    void openAnswers(folderOf(hooks, `${hooks.home}/data`), source, settings)
      .keep(query, hooks.now(), summary, { timeZone: "UTC", days: undefined, rows: [] })
      .then(() =>
        openLimits(folderOf(hooks, hooks.home)).reserve({
          baseUrl: source.environment,
          store: "store centro",
          bucket: "summary",
        }),
      )
      .then(() => hooks.exit(0));
  },
  tellFigures(hooks) {
    const sales = folderOf(hooks, `${hooks.home}/data`).database("sales");
    const limits = folderOf(hooks, hooks.home).database("comanda");
    void Promise.all([
      sales.then(({ rows }) => rows({ store: "text" }, "select store from sources")),
      limits.then(({ rows }) => rows({ store: "text" }, "select limit_key as store from limit_uses")),
    ]).then((rows) => {
      hooks.print(
        "stdout",
        JSON.stringify(rows.flat().map(({ store }) => /^(?:store )?(\S+)/.exec(store)?.[1])),
      );
      hooks.exit(0);
    });
  },
  diskError,
  sqliteError: (errcode, message) => Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode }),
};
