/** Makes a configuration folder with one signed-in store, and puts this comanda on the path, until the command ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Context } from "../../cli/context.js";
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { signInStore, type Emulator } from "../../emulator/index.js";
import { t } from "../../languages/language.js";
import { openFolder } from "../../state/state.js";
import { withEnvironment } from "../../state/environments.js";
import { withStoreSettings } from "../../state/settings.js";
import { shellWord } from "../../state/shell-word.js";

export interface ScratchMachine {
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

const alias = "demo";

/**
 * @param rateLimits without them comanda neither counts its requests nor waits for a place
 * @throws {ComandaError} `configuration` where the folder can't be made or used
 */
export async function makeScratchMachine(
  context: Context,
  emulator: Emulator,
  rateLimits: boolean,
): Promise<ScratchMachine> {
  let folder: string | undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    folder = mkdtempSync(path.join(tmpdir(), "comanda-exec-"));
    const config = path.join(folder, "config");
    await storeSession(context, config, emulator);
    const env = environmentOf(context, config, putOnPath(context, folder), emulator.url);
    return { env: rateLimits ? env : { ...env, COMANDA_RATE_LIMITS: "off" }, remove };
  } catch (error) {
    remove();
    if (error instanceof ComandaError && error.code === "state_unusable") {
      const hint = t`Choose another temporary folder with TMPDIR, which nobody else can write to.`;
      throw new ComandaError("configuration", error.message, { hint, cause: error });
    }
    const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ComandaError("configuration", t`The temporary folder can't be used: ${code}.`, {
      hint: t`Check that the folder of TMPDIR exists and can be written.`,
    });
  }
}

async function storeSession(
  { clock, critical, signal }: Context,
  folder: string,
  { baseUrl, authUrl, clientId, redirectUri, partnerKey, service }: Emulator,
): Promise<void> {
  const { store, tokens } = signInStore(service);
  const { sessions, settings } = openFolder({
    folder,
    clock,
    signal,
    criticalSections: critical,
  });
  const environment = {
    name: "local",
    base_url: baseUrl,
    auth_url: authUrl,
    client_id: clientId,
    redirect_uri: redirectUri,
  };
  const now = clock.now();
  await sessions.update(alias, () =>
    Promise.resolve({
      version: 1,
      store: alias,
      environment,
      signed_in_at: now,
      api_key: store.apiKey,
      partner_key: partnerKey,
      tokens: {
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token ?? "",
        expires_at: now + (tokens.expires_in ?? 0) * 1000,
        scopes: (tokens.scope ?? "").split(" "),
        generation: 1,
      },
    }),
  );
  await settings.update((current) => ({
    ...withStoreSettings(withEnvironment(current, environment), alias, { time_zone: store.timeZone }),
    default_store: alias,
  }));
}

/** A script that calls `comanda` has to find this program, installed or not. */
function putOnPath({ self, host }: Pick<Context, "self" | "host">, folder: string): string {
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  for (const [name, text] of shimsOf(self, host.platform))
    writeFileSync(path.join(bin, name), text, { mode: 0o755 });
  return bin;
}

/**
 * npm makes the same: on Windows one shim for cmd and PowerShell, and one for the shell of Git.
 *
 * @internal
 */
export function shimsOf(self: Context["self"], platform: string): readonly (readonly [string, string])[] {
  const forShell = `#!/bin/sh\nexec ${self.map(shellWord).join(" ")} "$@"\n`;
  if (platform !== "win32") return [["comanda", forShell]];
  const words = Object.keys(selfVariables(self)).map((name) => `"%${name}%"`);
  return [
    ["comanda", forShell],
    ["comanda.cmd", `@${words.join(" ")} %*\r\n`],
  ];
}

/** cmd reads a batch file by the code page of its window, which would break the path of José's home; a variable stays. */
function selfVariables(self: Context["self"]): Record<string, string> {
  return Object.fromEntries(self.map((word, index) => [`_COMANDA_SELF_${index}`, word]));
}

/** The variables of the person's shell must not reach the command, or it would work at a real store. */
function environmentOf(
  { env, self, host }: Context,
  config: string,
  bin: string,
  url: string,
): Record<string, string> {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (name.startsWith("COMANDA_") && name !== "COMANDA_RATE_LIMITS")
      ? []
      : [[name, value] as const],
  );
  // Windows spells the variable `Path`.
  const name = variables.map(([key]) => key).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const before = env[name];
  return {
    ...Object.fromEntries(variables),
    ...(host.platform === "win32" && selfVariables(self)),
    [name]: before === undefined || before === "" ? bin : `${bin}${path.delimiter}${before}`,
    COMANDA_CONFIG_DIR: config,
    COMANDA_STORE: alias,
    COMANDA_EMULATOR_URL: url,
  };
}
