/**
 * Runs commands in this process against a service over real HTTP, with a separate folder and a clock that advances only when code
 * waits.
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
import { testEnvironment, testSession } from "../auth/support/sessions.js";
import { closing } from "./resources.js";
import { testContext, testGlobals, type InProcessOptions } from "./context.js";
import { AtService, type AtServiceOptions } from "./emulators.js";
import { Machine, type Ended, type Line } from "./program.js";

export { containing, errorOf, matching, parseJson, parseJsonLines } from "./output.js";

/** A Friday, noon in São Paulo. */
export const start = Date.parse("2026-11-20T15:00:00Z");

export class Desk {
  readonly #machine: Machine;
  readonly folder: string;
  /** The lengths of all waits, in milliseconds. */
  readonly waits: number[] = [];
  #now = start;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#machine = new Machine({ NO_COLOR: "1", ...env });
    this.folder = this.#machine.configFolder;
    mkdirSync(this.folder, { mode: 0o700 });
  }

  /** Pass it to the emulator, so that both sides agree on the time. */
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
   * Stores a session as a sign-in would.
   *
   * @param change changes the session before it is stored
   */
  async signIn(
    store: string,
    baseUrl: string,
    accessToken: string,
    change: (session: Session) => Session = (session) => session,
  ): Promise<void> {
    const addresses = { base_url: baseUrl, auth_url: `${baseUrl}/authorize` };
    const environment = testEnvironment({ name: "test", ...addresses, client_id: "test" });
    const tokens = { access_token: accessToken, expires_at: this.#now + 7_200_000, generation: 1 };
    const session = testSession(environment, { store, tokens, signed_in_at: this.#now });
    const { sessions } = openFolder({ folder: this.folder, clock: this.clock });
    await sessions.update(store, () => Promise.resolve(change(session)));
  }

  /** Runs `comanda`. */
  async run(line: Line, options: InProcessOptions = {}): Promise<Ended> {
    return this.#machine.inProcess(line, { clock: this.clock, ...options });
  }

  /** Returns a command's context, for tests that call a function directly. */
  async context(given: Partial<GlobalOptions> = {}): Promise<Context> {
    const context = testContext({ env: this.#machine.env, clock: this.clock });
    return openContext(context, testGlobals({ input: false, ...given }));
  }

  /** Returns the rows of a statement on sales.db. */
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
}

/** A desk with an emulator: the store `centro` (501) is signed in, and tests can inspect the service. */
export class StoreDesk extends AtService {
  private constructor(
    readonly desk: Desk,
    emulator: Emulator,
  ) {
    super(emulator);
  }

  static async open({ env, ...options }: AtServiceOptions = {}): Promise<StoreDesk> {
    const desk = new Desk(env);
    const emulator = closing(await startEmulator({ orders: 1, now: desk.clock, ...options }));
    const store = new StoreDesk(desk, emulator);
    await store.signIn("centro");
    return store;
  }

  /** Does what {@link Desk.signIn} does, with a token that the service issued for one of its stores. */
  async signIn(alias: string, store = 501, change?: (session: Session) => Session): Promise<void> {
    await this.desk.signIn(alias, this.emulator.baseUrl, tokenFor(this.emulator, store), change);
  }

  /** Does what {@link Desk.run} does. */
  async comanda(line: Line, options?: InProcessOptions): Promise<Ended> {
    return this.desk.run(line, options);
  }
}

/** Turns off the rate limits of the service and of comanda. */
export const withoutLimits = { rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } } as const;

/** Issues a token for one store of the emulator, without the flow of section 5.2. */
export function tokenFor({ service }: Emulator, storeId: number): string {
  return service.server.install(storeId).access_token;
}

/** Parses a CSV file (RFC 4180) whose records all have the same columns. */
export function parseCsv(text: string): string[][] {
  return parse(text);
}
