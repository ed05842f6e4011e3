/** Refreshes tokens whose sessions are files on a full disk. */
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { createTransport } from "../../src/client/http.js";
import type { Session, SessionStore } from "../../src/state/sessions.js";
import { filesIn } from "../support/folder-state.js";
import { openState } from "../state/support/folder.js";
import { mountSmallDisk, smallDiskAvailable, type SmallDisk } from "../support/small-disk.js";
import { testEnvironment, testSession } from "./support/sessions.js";
import { startTokenService, tokens, type TokenService } from "./support/token-service.js";

const clock = {
  now: () => Date.parse("2026-03-01T12:00:00Z"),
  sleep: () => new Promise<void>(() => undefined),
};
const transport = createTransport();
const longest = (letter: string) => letter.repeat(4096);

describe.skipIf(!smallDiskAvailable)("a refresh on a disk of 512 KiB", () => {
  let disk: SmallDisk;
  let sessions: SessionStore;
  let service: TokenService;
  beforeAll(async () => {
    service = await startTokenService();
  });
  afterAll(async () => {
    await transport.close();
    await service.stop();
  });
  beforeEach(() => {
    disk = mountSmallDisk(128);
    sessions = openState(path.join(disk.folder, "config")).sessions;
    service.answer = tokens();
  });
  afterEach(() => {
    const left = filesIn(disk.folder).filter((name) => name.includes(".tmp"));
    disk.remove();
    expect(left).toEqual([]);
  });
  const stored = (changes: Partial<Session> = {}) =>
    testSession(testEnvironment({ base_url: service.baseUrl }), changes);
  const store = async (session: Session) => {
    await sessions.update(session.store, () => Promise.resolve(session));
  };
  const source = (session: Session) =>
    createAccessTokenSource({ session, sessions, transport, clock, pid: process.pid });
  test("is either not sent, or its tokens are stored, with 0 to 10 free blocks", async () => {
    const seen = new Set<string>();
    for (let left = 0; left <= 10; left += 1) {
      disk.empty();
      await store(stored());
      disk.fill(left);
      const before = service.requests.length;
      const outcome = await source(stored())
        .bearer()
        .catch((error: unknown) => error);
      seen.add(String(outcome));
      const isDone = outcome === "access-2";
      const session = await sessions.read("centro");
      expect(service.requests.length - before, `requests with ${left} free blocks`).toBe(isDone ? 1 : 0);
      expect(session?.tokens?.access_token).toBe(isDone ? "access-2" : "access-1");
      if (isDone) continue;
      expect(outcome).toMatchObject({ code: "state_unusable", exitCode: 2 });
      expect(session).toEqual(stored());
    }
    expect(seen.has("access-2")).toBe(true);
    expect([...seen].join("\n")).toMatch(/no space left/);
  });

  test("stores the longest new tokens if the disk fills up before the response", async () => {
    const session = stored({ api_key: "key-1" });
    await store(session);
    service.answer = (...args) => {
      disk.fill();
      tokens({ access_token: longest("a"), refresh_token: longest("r") })(...args);
    };
    expect(await source(session).bearer()).toBe(longest("a"));
    const after = await sessions.read("centro");
    expect(after).toMatchObject({ api_key: "key-1", tokens: { refresh_token: longest("r"), generation: 2 } });
    expect(after).not.toHaveProperty("refresh_in_flight");
  });
});
