/** A person's machine that is signed in at a service: a real configuration folder. */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { comanda, program, serve, type Command } from "./processes.js";

export interface Desk {
  readonly url: string;
  readonly folder: string;
  /** A command line of comanda at this desk. */
  comanda(line: string, options?: Pick<Command, "input" | "env">): Command;
  /** A file in the folder. @returns its path */
  file(name: string, text: string): string;
  close(): Promise<void>;
}

/** With a bare server behind it, in another process. */
export async function openDesk(): Promise<Desk> {
  const stub = await serve([program("stub-server")]);
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
    comanda: (line, { env = {}, ...options } = {}) => ({
      args: [...comanda, ...line.split(" ")],
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
