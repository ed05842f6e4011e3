/** The examples for a chain: their steps as processes, as far as a machine without a cluster allows. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";

import type { Emulator } from "../../src/emulator/index.js";
import { newPostgresDatabase } from "../state/support/engines.js";
import { startEmulator } from "../support/emulators.js";
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
const container = z.object({
  args: words,
  envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
});
const pod = z.object({
  backoffLimit: z.number(),
  template: z.object({ spec: z.object({ containers: z.tuple([container]) }) }),
});
const job = z
  .object({ spec: z.object({ jobTemplate: z.object({ spec: pod }) }) })
  .parse(example("chain-cronjob.yaml")).spec.jobTemplate.spec;

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
  let emulator: Emulator;
  const machine = new Machine();
  beforeAll(async () => {
    emulator = await startEmulator({ port: 0, orders: 50 });
  });
  afterAll(async () => {
    machine.remove();
    await emulator.close();
  });

  test("make the tables, sign in, and ask for all stores' figures: by Compose, and by a pod", async () => {
    const { stdout: key } = await machine.run(["state", "key"]);
    const env = { COMANDA_STATE: await newPostgresDatabase({ isBare: true }) };
    const status = await machine.run([...compose.migrate.command, "--json"], { env });
    expect(JSON.parse(status.stdout)).toEqual({
      ...{ engine: "postgresql", address: env.COMANDA_STATE, schema: 1, newer: false, stores: 0, rows: 0 },
    });

    const withKey = { ...env, COMANDA_STATE_KEY: key.trim() };
    const child = ["emulator", "exec", "--orders", "50", "--"];
    const line = `"$0" "$1" state copy --to "$CHAIN" && COMANDA_STATE="$CHAIN" "$0" "$1" `;
    for (const args of [compose.comanda.command, job.template.spec.containers[0].args]) {
      const [node, script] = [process.execPath, path.resolve(import.meta.dirname, "../../bin/comanda.js")];
      const shell = `CHAIN='${env.COMANDA_STATE}' COMANDA_STATE_KEY='${key.trim()}'; export CHAIN COMANDA_STATE_KEY; ${line}${args.join(" ")}`;
      const ran = await machine.run([...child, "sh", "-c", shell, node, script]);
      expect(ran).toMatchObject({ code: 0 });
    }
    const after = await machine.run(["state", "status", "--json"], { env: withKey });
    const { stores, rows } = z
      .object({ stores: z.number(), rows: z.number() })
      .parse(JSON.parse(after.stdout));
    expect([stores, rows > 0]).toEqual([1, true]);
    expect(machine.written.split(key.trim())).toHaveLength(2);
  });
});
