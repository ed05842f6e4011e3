/** `comanda emulator start` runs the emulator until it is interrupted. */
import { randomBytes } from "node:crypto";

import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { wholeNumber } from "../../cli/global-options.js";
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import type { Emulator } from "../../emulator/index.js";
import { t } from "../../languages/language.js";

import { addSeedOptions, emulatorOptions, faultHelp, type SeedOptions } from "./options.js";

interface StartOptions extends SeedOptions {
  readonly port: string;
  /** The address at which other machines can reach it. */
  readonly host?: string;
}

const usualPort = "4100";

export function start(command: Command): void {
  command
    .about(
      "start the service's emulator on this machine",
      "It runs until it is interrupted. The environment `local` points to it on its usual port. Everything it " +
        "holds is made up, the same for the same seed, and gone when it ends.",
      "With --host 0.0.0.0 other machines and containers reach it. Whoever drives it under /_emulator/ then sends as " +
        "Authorization: Bearer the token that it tells on stderr.",
      faultHelp,
    )
    .addOption(
      command
        .createOption("--port <number>", "where it listens; 0 takes a free port")
        .default(usualPort, usualPort),
    )
    .option(
      "--host <address>",
      "where it listens, in the place of 127.0.0.1; its control surface then asks for a token",
    )
    .examples(
      "emulator start",
      "emulator start --scene busy",
      "emulator start --host 0.0.0.0",
      "emulator start --port 4200 --orders 500 --seed 7 --json",
    );
  addSeedOptions(command).does(run);
}

/** @throws the signal's reason, since only a signal ends it */
async function run(context: Context, options: StartOptions): Promise<void> {
  const { signal, output } = context;
  const port = wholeNumber("--port", options.port, { least: 0, most: 65_535 });
  const { host } = options;
  const seeded = await emulatorOptions(context, options);
  const { startEmulator } = await import("../../emulator/index.js");
  const controlToken = randomBytes(24).toString("base64url");
  const emulator = await startEmulator({
    ...seeded,
    port,
    ...(host !== undefined && { host, controlToken }),
    ownsProcess: true,
  }).catch((error: unknown) => {
    throw addressError(error, port, host);
  });
  try {
    tellAddresses(context, emulator, options);
    // The token is needed with --quiet, too.
    if (host !== undefined) output.warn(t`the control surface takes this token: ${controlToken}`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    signal.throwIfAborted();
  } finally {
    await emulator.close();
  }
}

function tellAddresses(
  { output, options }: Context,
  { url, baseUrl, authUrl, clientId, redirectUri, world }: Emulator,
  { port, scene, seed }: StartOptions,
): void {
  if (output.json) {
    output.jsonLine({
      url,
      base_url: baseUrl,
      auth_url: authUrl,
      client_id: clientId,
      redirect_uri: redirectUri,
      scene,
      orders: world.orders.size,
      seed: Number(seed),
    });
    return;
  }
  if (options.quiet) {
    output.line(url);
    return;
  }
  // On another port than the usual one the emulator needs an environment with its real port.
  const name = port === usualPort ? "local" : `local-${new URL(url).port}`;
  const addresses = `--base-url ${baseUrl} --auth-url ${authUrl} --client-id ${clientId}`;
  const first = port === usualPort ? "" : `comanda env set ${name} ${addresses} && `;
  output.line(t`The emulator is running at ${url} (Ctrl-C ends it).`);
  output.line(t`Sign in from another terminal: ${`${first}comanda login --store demo --env ${name}`}`);
  output.line(t`Orders to try:                 ${url}/_emulator/orders`);
  output.line(t`API keys of its stores:        ${url}/_emulator/stores`);
}

function addressError(error: unknown, port: number, host: string | undefined): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  const isTaken = code === "EADDRINUSE";
  const place = `${host ?? "127.0.0.1"}:${port}`;
  return new ComandaError(
    "configuration",
    isTaken ? t`Port ${port} is in use.` : t`The emulator can't listen at ${place}: ${code}.`,
    {
      hint: isTaken
        ? t`Another emulator may be running already. Take a free port with --port 0, or another one.`
        : t`Take an address of this machine, or 0.0.0.0 for all of them, and a port above 1023.`,
    },
  );
}
