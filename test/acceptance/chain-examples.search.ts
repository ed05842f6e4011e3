/** The examples for a chain: their steps as processes, as far as a machine without a cluster allows. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";

import { newPostgresDatabase } from "../state/support/engines.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { Machine } from "../support/program.js";

const example = (name: string): unknown =>
  parse(readFileSync(path.resolve(import.meta.dirname, "../../examples", name), "utf8"));

const words = z.array(z.string());
const variables = z.record(z.string(), z.string());
const compose = z
  .object({
    services: z.object({
      db: z.object({ command: words, volumes: words }),
      migrate: z.object({ command: words, environment: variables }),
      comanda: z.object({ command: words, environment: variables }),
    }),
  })
  .parse(example("chain-compose.yaml")).services;
test("no address of the Compose file asks for less than verified TLS, and each role has its own", () => {
  const { migrate, comanda, db } = compose;
  for (const [role, { environment }] of [
    ["migrate", migrate],
    ["run", comanda],
  ] as const) {
    expect(environment["COMANDA_STATE"]).toMatch(new RegExp(`^postgres://comanda_${role}:[^@]*@db/comanda$`));
    expect(environment["NODE_EXTRA_CA_CERTS"]).toBe("/tls/ca.crt");
  }
  expect(migrate.environment["COMANDA_STATE_KEY"]).toBeUndefined();
  expect(db.command).toContain("ssl=on");
  expect(db.volumes.join()).toContain("./postgres-roles.sql:/docker-entrypoint-initdb.d/");
});

describe.skipIf(postgresPrograms === undefined)("the steps", () => {
  const machine = new Machine();
  afterAll(() => machine.remove());

  test("make the tables", async () => {
    const env = { COMANDA_STATE: await newPostgresDatabase({ isBare: true }) };
    const { stdout } = await machine.run([...compose.migrate.command, "--json"], { env });
    const databases = z
      .array(z.object({ check: z.string(), status: z.string() }))
      .parse(JSON.parse(stdout))
      .filter(({ check }) => check.startsWith("database "));
    expect(databases.map(({ status }) => status)).toEqual(["ok", "ok"]);
  });
});
