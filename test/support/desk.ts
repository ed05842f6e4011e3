/**
 * Commands run in this process against a service over real HTTP, with a folder of their own and a clock that stands
 * still until somebody waits.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

import { openContext, type Context, type ProcessContext, type GlobalOptions } from "../../src/cli/context.js";
import { createOutput } from "../../src/cli/output.js";
import { createProgram, toComandaError } from "../../src/cli/program.js";
import type { Clock } from "../../src/client/clock.js";
import type { Emulator } from "../../src/emulator/index.js";
import type { ComandaError } from "../../src/client/errors.js";
import type { Session } from "../../src/state/sessions.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { openFolder } from "../../src/state/state.js";
import { Sink, testContext, testGlobals, type GivenContext } from "./context.js";

/** A Friday, noon in São Paulo. */
export const start = Date.parse("2026-11-20T15:00:00Z");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly error: ComandaError | undefined;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; nothing by default. */
  readonly input?: string;
  /** Columns of the terminal that stdout is; none by default. */
  readonly columns?: number;
  /** Is stderr a terminal? No by default, as under cron. */
  readonly looksOn?: boolean;
  /** What a person at both ends answers, one after the other; nobody is there by default. */
  readonly answers?: readonly string[];
  readonly signal?: AbortSignal;
  /** As {@link ProcessContext.grace}; the signal itself by default. */
  readonly grace?: AbortSignal;
  /** In place of the desk's own. */
  readonly clock?: Clock;
}

export class Desk {
  readonly folder = mkdtempSync(path.join(tmpdir(), "comanda-figures-"));
  /** Every wait, in milliseconds. */
  readonly waits: number[] = [];
  readonly #env: Readonly<Record<string, string>>;
  #now = start;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** Give it to the emulator, so that both sides agree on the time. */
  readonly clock = {
    now: () => this.#now,
    sleep: (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      this.waits.push(ms);
      this.#now += ms;
      return setImmediate();
    },
  };

  pass(ms: number): void {
    this.#now += ms;
  }

  /**
   * Keeps a session as a sign-in would have.
   *
   * @param change what it would have kept to what is kept
   */
  async signIn(
    store: string,
    baseUrl: string,
    accessToken: string,
    change: (session: Session) => Session = (session) => session,
  ): Promise<void> {
    const state = openFolder({ folder: this.folder, clock: this.clock });
    await state.sessions.update(store, () =>
      Promise.resolve(
        change({
          version: 1,
          store,
          environment: {
            name: "test",
            base_url: baseUrl,
            auth_url: `${baseUrl}/authorize`,
            client_id: "test",
            redirect_uri: "http://127.0.0.1:8765/callback",
          },
          tokens: { access_token: accessToken, expires_at: this.#now + 7_200_000, generation: 1 },
          signed_in_at: this.#now,
        }),
      ),
    );
  }

  /** Runs `comanda` with these words, split at spaces, or these arguments. */
  async run(line: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const {
      env = {},
      input = "",
      columns,
      answers,
      looksOn = answers !== undefined,
      signal = new AbortController().signal,
      grace = signal,
      clock = this.clock,
    } = options;
    const keyboard = new PassThrough();
    const left = [...(answers ?? [])];
    const stdout = new Sink(columns);
    const stderr = new Sink(looksOn ? 80 : undefined, (text) => {
      if (answers && /[?:)>] $/.test(text)) keyboard.write(`${left.shift() ?? ""}\n`);
    });
    const stdin = answers ? Object.assign(keyboard, { isTTY: true }) : Readable.from([Buffer.from(input)]);
    const streams = { stdin, stdout, stderr };
    const own = { clock, signal, grace };
    const context = this.#context({ ...streams, ...own }, answers ? { TERM: "dumb", ...env } : env);
    const args = typeof line === "string" ? line.split(" ") : line;
    let error: ComandaError | undefined;
    try {
      await (await createProgram(context, args)).parseAsync(args, { from: "user" });
    } catch (thrown) {
      error = toComandaError(thrown, signal.aborted ? signal.reason : undefined);
      const format = args.includes("--json") ? "json" : "table";
      if (error) (await createOutput(context, { format, quiet: false, color: "never" })).error(error);
    }
    return { code: error?.exitCode ?? 0, stdout: stdout.text, stderr: stderr.text, error };
  }

  /** What a command works with, for a function that is called with arguments made by hand. */
  async context(given: Partial<GlobalOptions> = {}): Promise<Context> {
    return openContext(this.#context(), testGlobals({ input: false, ...given }));
  }

  #context(given: GivenContext = {}, env: Readonly<Record<string, string>> = {}): ProcessContext {
    return testContext({
      env: { COMANDA_CONFIG_DIR: this.folder, NO_COLOR: "1", ...this.#env, ...env },
      clock: this.clock,
      ...given,
    });
  }

  /** The answers that are kept, as they lie on the disk. */
  kept(): unknown[] {
    return this.sales("select * from answers order by asked_at");
  }

  /** What a statement finds in the answers that are kept. */
  sales(sql: string): unknown[] {
    if (!existsSync(this.salesFile)) return [];
    const connection = openSqlite(this.salesFile);
    try {
      return connection.prepare(sql).all();
    } finally {
      connection.close();
    }
  }

  get salesFile(): string {
    return path.join(this.folder, "sales.db");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A token for one store of the emulator, without the flow of section 5.2. */
export function tokenFor({ service }: Emulator, storeId: number): string {
  return service.server.install(storeId).access_token;
}

/** The records of a CSV file (RFC 4180), quotes taken off. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError(`no CSV at ${JSON.stringify(text.slice(0, 80))}`);
    const [, quoted, plain = "", end] = match;
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n" && pattern.lastIndex < text.length) records.push([]);
  }
  return records;
}
