/**
 * Counts the sessions that random kills lose. A kill between the response and the write unavoidably loses one; at any other time,
 * a lost session is an error.
 */
import { expect, test } from "vitest";
import { setTimeout as delay } from "node:timers/promises";

import { testEnvironment, testSession, testTokens } from "../auth/support/sessions.js";
import { rotatingTokens, startTokenService } from "../auth/support/token-service.js";
import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";
import { openState, temporaryFolder } from "../state/support/folder.js";
import { bundledProgram, ended, start } from "../state/support/programs.js";

const refreshes = sized({ test: 5, search: 15, soak: 10_000 });
/** The longest time in milliseconds before a kill. */
const longestLife = soak ? 2_000 : 100;

const program = bundledProgram(new URL("./programs/refresh-again.ts", import.meta.url));
const rotation = { current: 1, count: 0, reused: 0 };
const service = await startTokenService(rotatingTokens(rotation, 1));

test(
  `${refreshes} refreshes with random kills lose sessions only between the response and the write`,
  async () => {
    const folder = temporaryFolder();
    const sessions = openState(folder).sessions;
    const signIn = () =>
      sessions.update("centro", () => {
        rotation.current += 1;
        const given = testTokens({ refresh_token: `refresh-${rotation.current}`, expires_at: 1 });
        const environment = testEnvironment({ base_url: service.baseUrl });
        return Promise.resolve(testSession(environment, { tokens: given }));
      });
    await signIn();
    let [kills, inWindow, elsewhere] = [0, 0, 0];
    while (rotation.count < refreshes) {
      const before = rotation.count;
      const child = start(program(), folder, "centro");
      while (rotation.count === before && child.exitCode === null) await delay(1);
      await delay(Math.random() * longestLife);
      child.kill("SIGKILL");
      expect(await ended(child)).toBe("SIGKILL");
      kills += 1;
      const session = await sessions.read("centro");
      const number = Number(session?.tokens?.refresh_token?.split("-")[1]);
      if (number === rotation.current) continue;
      // The unavoidable loss: the refresh was marked, and exactly one response is missing.
      if (session?.refresh_in_flight && number === rotation.current - 1) inWindow += 1;
      else elsewhere += 1;
      await signIn();
    }
    const of = `${rotation.count} refreshes, ${kills} kills`;
    tellFigure({ what: "sessions lost between answer and write", of, seen: inWindow });
    tellFigure({
      what: "sessions lost there per 10,000 refreshes",
      of,
      seen: Math.round((inWindow / rotation.count) * 10_000),
    });
    tellFigure({ what: "sessions lost elsewhere", of, wanted: 0, seen: elsewhere });
    tellFigure({ what: "refresh tokens used twice", of, wanted: 0, seen: rotation.reused });
    expect({ elsewhere, reused: rotation.reused }).toEqual({ elsewhere: 0, reused: 0 });
  },
  timeLimit(3 * minutes),
);
