/** The emulator in this process over real HTTP, and a user's machine that is set up for it. */
import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import type { OwnersDecision } from "../../src/emulator/http/oauth.js";

import type { InProcessOptions } from "./context.js";
import { AtService, authorizeAsOwner, type AtServiceOptions } from "./emulators.js";
import { closing, freePort } from "./resources.js";
import { Machine, wordsOf, type Ended, type Finished, type Line, type RunOptions } from "./program.js";

export { containing, errorOf, matching, parseJson, parseJsonLines } from "./output.js";

/** Its environment is called `test`. {@link Bench.signIn} signs in to store 501. */
export class Bench extends AtService {
  private constructor(
    readonly machine: Machine,
    emulator: Emulator,
  ) {
    super(emulator);
  }

  static async open({ env = {}, ...options }: AtServiceOptions = {}): Promise<Bench> {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const all = { port: 0, orders: 50, redirectUris: [redirectUri], ...options };
    return new Bench(new Machine(env), closing(await startEmulator(all)));
  }

  /** Runs `comanda` in this process. */
  async inProcess(line: Line, options?: InProcessOptions): Promise<Ended> {
    return this.machine.inProcess(line, options);
  }

  /** Runs the built program in another process. */
  async comanda(line: Line, options?: RunOptions): Promise<Finished> {
    return this.machine.run(line, options);
  }

  async setEnvironment(name = "test", redirectUri = this.emulator.redirectUri): Promise<void> {
    const { baseUrl, authUrl, clientId } = this.emulator;
    const { code, stderr } = await this.inProcess([
      ...["env", "set", name, "--base-url", baseUrl, "--auth-url", authUrl],
      ...["--client-id", clientId, "--redirect-uri", redirectUri],
    ]);
    if (code !== 0) throw new Error(stderr);
  }

  /** Runs a whole sign-in in this process. A script makes the owner's decision. */
  async login(
    line: Line,
    decision: OwnersDecision = {},
    options: InProcessOptions = {},
  ): Promise<Ended & { readonly page: number | undefined }> {
    let said = "";
    let decided: ReturnType<typeof authorizeAsOwner> | undefined;
    const onStderr = (text: string) => {
      said += text;
      const [url] = /^https?:\/\/\S+(?=\n)/m.exec(said) ?? [];
      if (url !== undefined) decided ??= authorizeAsOwner(url, { store: 501, ...decision });
    };
    const words = ["login", "--no-browser", ...wordsOf(line)];
    const ended = await this.machine.inProcess(words, { ...options, onStderr });
    return { ...ended, page: (await decided)?.status };
  }

  /** @throws {Error} if the sign-in fails */
  async signIn(store = "centro", decision: OwnersDecision = {}): Promise<void> {
    await this.setEnvironment();
    const { code, stderr } = await this.login(["--store", store, "--env", "test"], decision);
    if (code !== 0) throw new Error(stderr);
  }

  /**
   * Signs in with an expired token. Later tokens have the usual lifetime.
   *
   * @param accessTokenSeconds less than a minute for a token that is about to expire
   */
  async signInExpired(accessTokenSeconds = 0.001): Promise<void> {
    const { server } = this.emulator.service;
    server.accessSeconds = accessTokenSeconds;
    await this.signIn();
    server.accessSeconds = 7200;
    this.forgetRequests();
  }
}
