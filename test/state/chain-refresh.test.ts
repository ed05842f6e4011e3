/** Refreshes once among several machines, with lost connections, kills and restarts. */
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { createTransport } from "../../src/client/http.js";
import { testEnvironment, testSession, testTokens } from "../auth/support/sessions.js";
import { rotatingTokens, startTokenService } from "../auth/support/token-service.js";
import { postgresPrograms, startCluster } from "../support/postgres-server.js";
import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";
import { newStateKey } from "./support/chain.js";
import { openChainSessions } from "./support/chain-sessions.js";
import { startCuttingProxy } from "./support/cutting-proxy.js";
import { newPostgresDatabase, queryAt } from "./support/engines.js";
import { bundledProgram, outputOf, start } from "./support/programs.js";

const size = {
  rounds: sized({ test: 4, search: 20, soak: 300 }),
  /** A partial soak also uses all machines. */
  machines: soak ? 20 : sized({ test: 3, search: 6, soak: 20 }),
};
/** The fault of each round, in turn. */
const faults = soak ? ["none", "kill", "end", "cut", "restart"] : ["none", "kill", "end", "cut"];
const endConnections =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
const program = bundledProgram(new URL("./programs/refresh-in-chain.ts", import.meta.url), ["pg-native"]);
const rotation = { current: 1, count: 0, reused: 0 };
const service = await startTokenService(rotatingTokens(rotation, 7200));

async function openChain(database?: string) {
  const [address, key] = [database ?? (await newPostgresDatabase()), newStateKey()];
  const owner = await openChainSessions({ address, key, host: "owner" });
  const signIn = () =>
    owner.sessions.update("centro", () => {
      rotation.current += 1;
      const given = testTokens({ refresh_token: `refresh-${rotation.current}`, expires_at: 1 });
      const environment = testEnvironment({ base_url: service.baseUrl });
      return Promise.resolve(testSession(environment, { tokens: given }));
    });
  const stored = () => owner.sessions.read("centro");
  const expire = () =>
    owner.sessions.update("centro", (session) => {
      if (!session?.tokens) throw new Error("the session is lost");
      return Promise.resolve({ ...session, tokens: { ...session.tokens, expires_at: 0 } });
    });
  await signIn();
  return { address, key, owner, signIn, stored, expire };
}

async function refreshBy({ sessions, clock, times }: Awaited<ReturnType<typeof openChainSessions>>) {
  const session = await sessions.read("centro");
  if (!session) throw new Error("the session is lost");
  const transport = createTransport();
  try {
    const source = createAccessTokenSource({ session, sessions, transport, clock, pid: 1, ...times });
    return await source.bearer();
  } finally {
    await transport.close();
  }
}

describe.skipIf(postgresPrograms === undefined)("a refresh in a chain", () => {
  test(
    "whose connection is lost at any statement loses no sign-in, and uses no token twice",
    async () => {
      const { address, key, owner, stored, expire } = await openChain();
      const proxy = await startCuttingProxy(address);
      let cuts = 0;
      for (const when of ["before", "after"] as const) {
        for (let number = 1; ; number += 1) {
          await expire();
          proxy.cutAt(Infinity, when);
          const machine = await openChainSessions({ address: proxy.address, key, host: "cut" });
          const [count, reused] = [rotation.count, rotation.reused];
          proxy.cutAt(number, when);
          const outcome = await refreshBy(machine).catch((error: unknown) => error);
          const isOver = proxy.messages < number;
          if (typeof outcome !== "string") expect(outcome).toMatchObject({ name: "ComandaError" });
          // Another machine gets a token, without a sign-in.
          expect(await refreshBy(owner)).toBe(`access-${rotation.current}`);
          expect({ refreshes: rotation.count - count, reused: rotation.reused - reused }).toEqual({
            refreshes: 1,
            reused: 0,
          });
          expect((await stored())?.tokens?.refresh_token).toBe(`refresh-${rotation.current}`);
          await machine.close();
          if (isOver) break;
          cuts += 1;
        }
      }
      expect(cuts).toBeGreaterThan(10);
      await owner.close();
    },
    timeLimit(3 * minutes),
  );

  test(
    `of ${size.machines} machines at once is sent once in each of ${size.rounds} rounds with kills, lost connections and restarts`,
    async () => {
      const cluster = soak ? await startCluster() : undefined;
      const { address, key, owner, signIn, stored, expire } = await openChain(
        cluster && `${cluster.address}/postgres`,
      );
      const proxy = await startCuttingProxy(address);
      const lost: string[] = [];
      const seen = { window: 0, twice: 0 };
      for (let round = 0; round < size.rounds; round += 1) {
        await expire();
        const [count, reused] = [rotation.count, rotation.reused];
        const fault = faults[round % faults.length] ?? "none";
        proxy.cutAt(
          fault === "cut" ? 1 + Math.floor(Math.random() * 14) : Infinity,
          round % 2 ? "before" : "after",
        );
        const machines = Array.from({ length: size.machines }, (_, index) => {
          const database = index === 0 ? proxy.address : address;
          return start(program(), database, key, "centro", `machine-${index}`);
        });
        const outputs = machines.map(outputOf);
        await delay(Math.random() * (400 + 60 * size.machines));
        if (fault === "kill") machines[Math.floor(Math.random() * machines.length)]?.kill("SIGKILL");
        if (fault === "end") await queryAt(address, endConnections);
        if (fault === "restart") await cluster?.restart();
        const printed = await Promise.all(outputs);
        const session = await stored();
        const number = Number(session?.tokens?.refresh_token?.split("-")[1]);
        if (rotation.count - count > 1) seen.twice += 1;
        if (number === rotation.current && rotation.reused === reused) {
          // Every machine that got a token got the newest one.
          for (const text of printed.filter((each) => each.startsWith("access")))
            expect(text).toBe(`access-${rotation.current}`);
          continue;
        }
        // After a kill between the response and the write, the session contains the mark or the rejection.
        if (fault === "kill" && (session?.refresh_in_flight ?? session?.refused_at) !== undefined)
          seen.window += 1;
        else lost.push(`round ${round}, ${fault}: ${printed.join()}`);
        await signIn();
      }
      const of = `${size.rounds} rounds of ${size.machines} machines`;
      tellFigure({ what: "sign-ins lost between answer and write", of, seen: seen.window });
      tellFigure({ what: "sign-ins lost elsewhere", of, wanted: 0, seen: lost.length });
      tellFigure({ what: "rounds with a second refresh", of, wanted: 0, seen: seen.twice });
      expect({ lost, twice: seen.twice }).toEqual({ lost: [], twice: 0 });
      await owner.close();
      await cluster?.stop();
    },
    timeLimit(3 * minutes),
  );
});
