import type { Command } from "commander";

import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import type { Context } from "../context.js";
import { collect } from "../globals.js";
import { leaf, perform, type Invocation } from "../leaf.js";
import { addSeedOptions, readFaults, tellDefects, whole, type SeedOptions } from "./options.js";

interface StartOptions extends SeedOptions {
  readonly port: number;
  readonly redirectUri?: readonly string[];
}

export const defaultEmulatorPort = 4100;

export function startEmulatorCommand(context: Context): Command {
  const command = leaf({
    usage: "start",
    summary: "start the service's emulator on this machine",
    description:
      "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it " +
      "holds is made up, the same for the same seed, and gone when it ends.",
    examples: ["emulator start", "emulator start --port 4200 --orders 500 --seed 7 --json"],
  })
    .option("--port <number>", "where it listens; 0 takes a free port", whole(0, 65_535), defaultEmulatorPort)
    .option("--redirect-uri <uri>", "a further redirect address of the app (repeatable)", collect);
  addSeedOptions(command);
  return perform(command, context, (invocation) => startEmulator(invocation, command.opts<StartOptions>()));
}

async function startEmulator({ context, output }: Invocation, options: StartOptions): Promise<void> {
  const { isRedirectTarget, parseFault, startEmulator: start } = await import("../../emulator/index.js");
  const wrong = options.redirectUri?.find((uri) => !isRedirectTarget(uri));
  if (wrong !== undefined) {
    throw new ComandaError("invalid_input", `--redirect-uri can't be "${wrong}".`, {
      hint: "It is an absolute address without a fragment, for example http://127.0.0.1:8765/callback",
    });
  }
  const faults = readFaults(options.fault ?? [], parseFault);
  const emulator = await start({
    port: options.port,
    orders: options.orders,
    seed: options.seed,
    faults,
    redirectUris: options.redirectUri ?? [],
    rateLimits: options.limits,
    ownsProcess: true,
    onDefect: tellDefects(output),
  }).catch((error: unknown) => {
    throw portError(error, options.port);
  });
  try {
    if (output.json) {
      output.jsonLine({
        url: emulator.url,
        base_url: emulator.baseUrl,
        auth_url: emulator.authUrl,
        client_id: emulator.clientId,
        redirect_uri: emulator.redirectUri,
        orders: options.orders,
        seed: options.seed,
      });
    } else {
      output.line(`The emulator is running at ${emulator.url} (Ctrl-C ends it).`);
      output.line(`Sign in from another terminal: ${signInCommand(options.port)}`);
      output.line(`Orders to try:                 ${emulator.url}/_emulator/orders`);
      output.line(`The store portal:              ${emulator.url}/portal`);
    }
    await interrupted(context.signal);
  } finally {
    await emulator.close();
  }
}

function signInCommand(port: number): string {
  if (port === defaultEmulatorPort) return "comanda login --store demo --env local";
  return "comanda env set local … with the addresses that --json shows, then comanda login --store demo --env local";
}

/** @throws the signal's reason, as soon as there is one */
async function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error("interrupted"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function portError(error: unknown, port: number): unknown {
  const code = systemErrorCode(error);
  if (code === "EADDRINUSE") {
    return new ComandaError("configuration", `Port ${port} is in use.`, {
      hint: "Another emulator may be running already. Take a free port with --port 0, or another one.",
    });
  }
  if (code === "EACCES") {
    return new ComandaError("configuration", `Port ${port} can't be opened: it needs more rights.`, {
      hint: "Take a port above 1023.",
    });
  }
  return error;
}
