/** The emulator in this process, real HTTP, and a person's machine that is set up for it. */
import * as z from "zod/mini";

import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";
import { authorizeAsOwner, type ScriptedDecision } from "../../src/emulator/http/portal/scripted-owner.js";

import { startEmulator } from "./emulators.js";
import { freePort } from "../../src/shared/free-port.js";
import { Machine, type Finished, type RunOptions } from "./program.js";

export interface BenchOptions extends EmulatorOptions {
  readonly env?: Readonly<Record<string, string>>;
}

const createdSchema = z.looseObject({ id: z.int() });

/** The environment on it is called `test`; the store that {@link Bench.signIn} signs in at is 501. */
export class Bench {
  readonly machine: Machine;
  readonly emulator: Emulator;

  private constructor(machine: Machine, emulator: Emulator) {
    this.machine = machine;
    this.emulator = emulator;
  }

  static async open({ env = {}, ...options }: BenchOptions = {}): Promise<Bench> {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const emulator = await startEmulator({ port: 0, orders: 50, redirectUris: [redirectUri], ...options });
    return new Bench(new Machine(env), emulator);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.machine.remove();
  }

  /** Runs `comanda` with these words, split at spaces, or these arguments. */
  async comanda(line: string | readonly string[], options?: RunOptions): Promise<Finished> {
    return this.machine.run(typeof line === "string" ? line.split(" ") : line, options);
  }

  async setEnvironment(name = "test", machine = this.machine): Promise<void> {
    const { baseUrl, authUrl, clientId, redirectUri } = this.emulator;
    const { code, stderr } = await machine.run([
      ...["env", "set", name, "--base-url", baseUrl, "--auth-url", authUrl],
      ...["--client-id", clientId, "--redirect-uri", redirectUri],
    ]);
    if (code !== 0) throw new Error(stderr);
  }

  /** A sign-in from its first line to its end, the owner played by a script. */
  async login(
    args: readonly string[],
    decision: ScriptedDecision = {},
    options: RunOptions = {},
  ): Promise<Finished & { readonly page: number | undefined }> {
    const running = this.machine.start(["login", ...args], options);
    const url = await running.lineOn("stderr", /^https?:\/\/\S+$/);
    const { status } = await authorizeAsOwner(url, { storeId: 501, ...decision });
    return { ...(await running.finished), page: status };
  }

  /** @throws {Error} where the sign-in does not succeed */
  async signIn(store = "centro", decision: ScriptedDecision = {}): Promise<void> {
    await this.setEnvironment();
    const { code, stderr } = await this.login(["--store", store, "--env", "test"], decision);
    if (code !== 0) throw new Error(stderr);
  }

  /** Makes an order at store 501: a delivery order that is confirmed, but for what is given. @returns its id */
  async order(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const delivery = fields["order_type"] === undefined || fields["order_type"] === "delivery";
    const answer = await this.emulator.request("/_emulator/orders", {
      method: "POST",
      headers: { "content-type": "application/json", host: "127.0.0.1" },
      body: JSON.stringify({
        merchant_id: 501,
        order_type: "delivery",
        order_timing: "immediate",
        status: "confirmed",
        ...(delivery && { delivered_by: "merchant", driver_id: null, driver_fee: null }),
        ...fields,
      }),
    });
    const body: unknown = await answer.json();
    const created = z.safeParse(createdSchema, body);
    if (!created.success) throw new Error(JSON.stringify(body));
    return String(created.data.id);
  }

  /** What the service has of an order. */
  stored(id: string) {
    const record = this.emulator.world.orders.find(Number(id));
    if (!record) throw new Error(`there is no order ${id}`);
    return record;
  }

  /** Method and path of every request so far, without those of other tests' preparations. */
  requests(): string[] {
    return this.emulator.service.log
      .entries()
      .filter(({ path }) => path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path}`);
  }

  forgetRequests(): void {
    this.emulator.service.log.clear();
  }
}
