/** `comanda emulator start` runs the emulator until it is interrupted. */
import type { Emulator } from "../../emulator/index.js";
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Command } from "../../toolkit/command.js";
import { wholeNumber } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import { emulatorOptions, faultHelp, parseSeedOptions, seedOptions, type SeedOptions } from "./options.js";

export interface StartOptions extends SeedOptions {
  readonly port: number;
  /** The address at which other machines can reach it. */
  readonly host: string | undefined;
}

export const defaultEmulatorPort = 4100;

export const start: Command<StartOptions> = {
  description: {
    usage: "start",
    summary: "start the service's emulator on this machine",
    description:
      "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it " +
      "holds is made up, the same for the same seed, and gone when it ends.\n\n" +
      "With --host 0.0.0.0 other machines and containers reach it. Whoever drives it under /_emulator/ then sends as " +
      `Authorization: Bearer the token that it tells on stderr.\n\n${faultHelp}`,
    options: [
      {
        flags: "--port <number>",
        description: "where it listens; 0 takes a free port",
        default: String(defaultEmulatorPort),
      },
      {
        flags: "--host <address>",
        description: "where it listens, in the place of 127.0.0.1; its control surface then asks for a token",
      },
      ...seedOptions,
    ],
    examples: [
      "emulator start",
      "emulator start --scene busy",
      "emulator start --host 0.0.0.0",
      "emulator start --port 4200 --orders 500 --seed 7 --json",
    ],
  },

  parse: (line) => ({
    ...parseSeedOptions(line),
    port: wholeNumber(line, "--port", { least: 0, most: 65_535 }),
    host: line.text("--host"),
  }),

  /** @throws the signal's reason, since only a signal ends it */
  async run(machine, options) {
    const { context, output } = machine;
    const { startEmulator } = await import("../../emulator/index.js");
    const controlToken =
      options.host === undefined
        ? undefined
        : Buffer.from(context.system.random.bytes(24)).toString("base64url");
    const emulator = await startEmulator({
      ...(await emulatorOptions(machine, options)),
      port: options.port,
      ...(options.host !== undefined && { host: options.host }),
      ...(controlToken && { controlToken }),
      ownsProcess: true,
    }).catch((error: unknown) => {
      throw addressError(error, options);
    });
    try {
      tellAddresses(machine, emulator, options);
      // The token is needed with --quiet, too.
      if (controlToken !== undefined) output.warn(t`the control surface takes this token: ${controlToken}`);
      await waitForSignal(context.signal);
    } finally {
      await emulator.close();
    }
  },
};

function tellAddresses(
  { output, settings: { quiet } }: Machine,
  emulator: Emulator,
  { port, scene, seed }: StartOptions,
): void {
  if (output.json) {
    output.jsonLine({
      url: emulator.url,
      base_url: emulator.baseUrl,
      auth_url: emulator.authUrl,
      client_id: emulator.clientId,
      redirect_uri: emulator.redirectUri,
      scene,
      orders: emulator.world.orders.size,
      seed,
    });
    return;
  }
  if (quiet) {
    output.line(emulator.url);
    return;
  }
  output.line(t`The emulator is running at ${emulator.url} (Ctrl-C ends it).`);
  output.line(t`Sign in from another terminal: ${signInCommand(emulator, port)}`);
  output.line(t`Orders to try:                 ${emulator.url}/_emulator/orders`);
  output.line(t`API keys of its stores:        ${emulator.url}/_emulator/stores`);
}

/** On another port than the usual one the emulator needs an environment with its real port. */
function signInCommand({ url, baseUrl, authUrl, clientId }: Emulator, port: number): string {
  if (port === defaultEmulatorPort) return "comanda login --store demo --env local";
  const name = `local-${new URL(url).port}`;
  const addresses = `--base-url ${baseUrl} --auth-url ${authUrl} --client-id ${clientId}`;
  return `comanda env set ${name} ${addresses} && comanda login --store demo --env ${name}`;
}

/** @throws the signal's reason, when it is aborted */
async function waitForSignal(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error("interrupted"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function addressError(error: unknown, { port, host }: StartOptions): unknown {
  const code = systemErrorCode(error);
  if (host !== undefined && (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")) {
    return new ComandaError(
      "configuration",
      t`The emulator can't listen at ${host}: it is no address of this machine.`,
      {
        hint: t`For example: --host 0.0.0.0, for all of its addresses`,
      },
    );
  }
  if (code === "EADDRINUSE") {
    return new ComandaError("configuration", t`Port ${port} is in use.`, {
      hint: t`Another emulator may be running already. Take a free port with --port 0, or another one.`,
    });
  }
  if (code === "EACCES") {
    return new ComandaError("configuration", t`Port ${port} can't be opened: it needs more rights.`, {
      hint: t`Take a port above 1023.`,
    });
  }
  return error;
}
