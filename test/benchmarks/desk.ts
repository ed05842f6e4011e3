/** A person's machine that is signed in at a service: a real configuration folder. */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { comanda, node, program, serve, type Command } from "./processes.js";

export interface Desk {
  readonly url: string;
  readonly folder: string;
  /** Variables that sign in without the folder's session. */
  readonly credential: Readonly<Record<string, string>>;
  /** A command line of comanda at this desk. */
  comanda(line: string, options?: Pick<Command, "input" | "env"> & { readonly script?: string }): Command;
  /** A file in the folder. @returns its path */
  file(name: string, text: string): string;
  close(): Promise<void>;
}

/** Where variables sign in and there is no folder to be had, nothing is written. */
export const withoutFolder = { COMANDA_CONFIG_DIR: "/dev/null/none" };

/** With a bare server behind it, in another process, which answers after so many milliseconds. */
export async function openDesk(delayMs = 0): Promise<Desk> {
  const stub = await serve([program("stub-server"), String(delayMs)]);
  const url = String(stub.greeting["url"]);
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-desk-"));
  const sessions = path.join(folder, "sessions");
  mkdirSync(sessions, { mode: 0o700 });
  const session = {
    version: 1,
    store: "centro",
    // Figures are kept of a sign-in that can be told from others.
    signed_in_at: Date.parse("2026-01-01"),
    environment: {
      name: "bench",
      base_url: url,
      auth_url: `${url}/authorize`,
      client_id: "bench",
      redirect_uri: "http://127.0.0.1:8765/callback",
    },
    tokens: {
      access_token: "bench-token",
      expires_at: Date.now() + 7_200_000,
      refresh_token: "bench-refresh",
      scopes: ["orders", "drivers"],
      generation: 1,
    },
  };
  writeFileSync(path.join(sessions, "s-centro.json"), JSON.stringify(session), { mode: 0o600 });
  return {
    url,
    folder,
    credential: { COMANDA_BASE_URL: url, COMANDA_ACCESS_TOKEN: "bench-token" },
    comanda: (line, { env = {}, script = comanda[1], ...options } = {}) => ({
      args: [node, script, ...line.split(" ")],
      env: { COMANDA_CONFIG_DIR: folder, HOME: folder, ...env },
      ...options,
    }),
    file: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    close: async () => {
      await stub.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
