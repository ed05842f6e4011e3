/** `comanda demo` runs real processes with real HTTP and the real sign-in; only the service is the emulator. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../free-port.js";
import { t, translated } from "../../languages/language.js";
import { shellWord } from "../../state/shell-word.js";
import { ComandaError } from "../../client/errors.js";
import { createStyle, type Style, wantsColors } from "../../cli/style.js";
import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";

import { createDemoOrders } from "./orders.js";
import { isolatedEnvironment, runSelf } from "./run-self.js";
import {
  environmentStep,
  figuresSteps,
  goodbye,
  orderSteps,
  prefillSteps,
  signInByScript,
  type Step,
} from "./steps.js";

export function demo(command: Command): void {
  command
    .about(
      "a guided tour on the emulator; it leaves nothing behind",
      "Starts the emulator, signs in at a store and takes orders through their life, showing each command line " +
        "with its output. Your own stores and settings are not touched.",
    )
    .examples("demo")
    .does(showTour);
}

/** @throws {ComandaError} `internal` where a step did not end as it should */
async function showTour(context: Context): Promise<void> {
  const style = await createStyle(wantsColors(context.stdout, context.env, context.options.color));
  const { startEmulator } = await import("../../emulator/index.js");
  const folder = await mkdtemp(path.join(tmpdir(), "comanda-demo-"));
  // The address has to be registered before a sign-in listens there.
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const emulator = await startEmulator({ port: 0, scene: "busy", seed: 1, redirectUris: [redirectUri] });
  try {
    const tour = new Tour(context, style, isolatedEnvironment(context.env, folder));
    tour.say(t`The emulator of the service runs at ${emulator.url} for the length of this tour.`);
    await tour.step(environmentStep(emulator, redirectUri));
    await signIn(tour);
    const orders = await createDemoOrders(emulator);
    const steps = [...orderSteps(orders), ...figuresSteps, goodbye, ...prefillSteps(orders)];
    for (const step of steps) await tour.step(step);
    tour.say(t`That was the tour. The emulator is stopped, and nothing was left behind.`);
    tour.say(t`To go on by yourself: comanda emulator start, then comanda login --store demo --env local`);
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A script plays the owner as soon as the sign-in shows its address. */
async function signIn(tour: Tour): Promise<void> {
  const { authorizeAsOwner } = await import("../../emulator/index.js");
  let owner: Promise<unknown> | undefined;
  await tour.step(signInByScript, (line) => {
    if (/^https?:\/\//.test(line)) owner ??= authorizeAsOwner(line);
  });
  await owner;
}

class Tour {
  readonly #context: Context;
  readonly #style: Style;
  readonly #env: Record<string, string>;

  constructor(context: Context, style: Style, env: Record<string, string>) {
    this.#context = context;
    this.#style = style;
    this.#env = env;
  }

  say(text: string): void {
    this.#context.output.line(text);
  }

  async step(step: Step, onLine?: (line: string) => void): Promise<void> {
    const context = this.#context;
    const { output } = context;
    const { title, args, stdin, exit = 0 } = step;
    const commandText = ["$ comanda", ...args.map(shellWord), ...(stdin ? ["<", stdin.name] : [])].join(" ");
    output.text(`\n${this.#style.dim(`# ${translated(title)}`)}\n${this.#style.bold(commandText)}\n`);
    const options = { env: this.#env, input: stdin?.text, onLine };
    const { code, text } = await runSelf(context, args, options).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw error;
    });
    for (const line of text.trimEnd().split("\n")) output.line(line);
    if (code === exit) return;
    throw new ComandaError("internal", t`"comanda ${args.join(" ")}" ended with ${code}, not with ${exit}.`);
  }
}
