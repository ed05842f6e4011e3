/**
 * Commands run in this process against a service over real HTTP, with a folder of their own and a clock that stands
 * still until somebody waits.
 */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import { parse } from "csv-parse/sync";

import { openContext, type Context, type GlobalOptions } from "../../src/cli/context.js";
import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import type { Session } from "../../src/state/sessions.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { openFolder } from "../../src/state/state.js";
import { testContext, testGlobals, type InProcessOptions } from "./context.js";
import { AtService, type AtServiceOptions } from "./emulators.js";
import { Machine, wordsOf, type Ended } from "./program.js";

/** A Friday, noon in São Paulo. */
export const start = Date.parse("2026-11-20T15:00:00Z");

export class Desk {
  readonly #machine: Machine;
  readonly folder: string;
  /** Every wait, in milliseconds. */
  readonly waits: number[] = [];
  #now = start;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#machine = new Machine({ NO_COLOR: "1", ...env });
    this.folder = this.#machine.configFolder;
    mkdirSync(this.folder, { mode: 0o700 });
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
  async run(line: string | readonly string[], options: InProcessOptions = {}): Promise<Ended> {
    return this.#machine.inProcess(wordsOf(line), { clock: this.clock, ...options });
  }

  /** What a command works with, for a function that is called with arguments made by hand. */
  async context(given: Partial<GlobalOptions> = {}): Promise<Context> {
    const context = testContext({ env: this.#machine.env, clock: this.clock });
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
    this.#machine.remove();
  }
}

/** A desk with the emulator beside it: the store `centro` (501) is signed in, and the service can be looked into. */
export class StoreDesk extends AtService {
  private constructor(
    readonly desk: Desk,
    emulator: Emulator,
  ) {
    super(emulator);
  }

  static async open({ env, ...options }: AtServiceOptions = {}): Promise<StoreDesk> {
    const desk = new Desk(env);
    const emulator = await startEmulator({ orders: 1, now: desk.clock, ...options });
    const store = new StoreDesk(desk, emulator);
    await store.signIn("centro");
    return store;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.desk.remove();
  }

  /** As {@link Desk.signIn}, with a token that the service gives for one of its stores. */
  async signIn(alias: string, store = 501, change?: (session: Session) => Session): Promise<void> {
    await this.desk.signIn(alias, this.emulator.baseUrl, tokenFor(this.emulator, store), change);
  }

  /** As {@link Desk.run}. */
  async comanda(line: string | readonly string[], options?: InProcessOptions): Promise<Ended> {
    return this.desk.run(line, options);
  }
}

/** Neither the service nor comanda keeps to a rate limit. */
export const withoutLimits = { rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } } as const;

/** A token for one store of the emulator, without the flow of section 5.2. */
export function tokenFor({ service }: Emulator, storeId: number): string {
  return service.server.install(storeId).access_token;
}

/** The records of a CSV file (RFC 4180), which has the same columns in each. */
export function parseCsv(text: string): string[][] {
  return parse(text);
}
