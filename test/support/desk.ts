/**
 * Commands run in this process against a service over real HTTP, with a folder of their own and a clock that stands
 * still until somebody waits.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import { parse } from "csv-parse/sync";

import { openContext, type Context, type GlobalOptions } from "../../src/cli/context.js";
import { createOutput } from "../../src/cli/output.js";
import { createProgram, toComandaError } from "../../src/cli/program.js";
import type { Emulator } from "../../src/emulator/index.js";
import type { ComandaError } from "../../src/client/errors.js";
import type { Session } from "../../src/state/sessions.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { openFolder } from "../../src/state/state.js";
import { openStreams, testContext, testGlobals, type InProcessOptions } from "./context.js";

/** A Friday, noon in São Paulo. */
export const start = Date.parse("2026-11-20T15:00:00Z");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly error: ComandaError | undefined;
}

export class Desk {
  readonly folder = mkdtempSync(path.join(tmpdir(), "comanda-figures-"));
  /** Every wait, in milliseconds. */
  readonly waits: number[] = [];
  readonly #variables: Readonly<Record<string, string>>;
  #now = start;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#variables = { COMANDA_CONFIG_DIR: this.folder, NO_COLOR: "1", ...env };
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
  async run(line: string | readonly string[], { env, ...options }: InProcessOptions = {}): Promise<Ran> {
    const all = { ...this.#variables, ...env };
    const { context, written } = openStreams({ clock: this.clock, ...options, env: all });
    const args = typeof line === "string" ? line.split(" ") : line;
    let error: ComandaError | undefined;
    try {
      await (await createProgram(context, args)).parseAsync(args, { from: "user" });
    } catch (thrown) {
      error = toComandaError(thrown, context.signal.aborted ? context.signal.reason : undefined);
      const format = args.includes("--json") ? "json" : "table";
      if (error) (await createOutput(context, { format, quiet: false, color: false })).error(error);
    }
    return { code: error?.exitCode ?? 0, ...written(), error };
  }

  /** What a command works with, for a function that is called with arguments made by hand. */
  async context(given: Partial<GlobalOptions> = {}): Promise<Context> {
    const context = testContext({ env: this.#variables, clock: this.clock });
    return openContext(context, testGlobals({ input: false, ...given }));
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

/** The records of a CSV file (RFC 4180), which has the same columns in each. */
export function parseCsv(text: string): string[][] {
  return parse(text);
}
