import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const session = () => readSession(bench.machine.configFolder);
const { server, faults } = {
  server: () => bench.emulator.service.server,
  faults: () => bench.emulator.service.faults,
};

/** With a token whose time is nearly over. */
const signInExpired = () => bench.signInExpired(5);

describe("an access token is renewed", () => {
  test("once by 4 processes at the same time where its time is over, and all succeed", async () => {
    await signInExpired();
    const ids = await Promise.all(Array.from({ length: 4 }, () => bench.order()));
    const runs = await Promise.all(ids.map((id) => bench.comanda(`orders dispatch ${id}`)));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ids.map(() => ({ code: 0, stderr: "" })),
    );
    expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
    expect(ids.map((id) => bench.stored(id).status)).toEqual(ids.map(() => "released"));
  });

  test("also at SIGTERM: what came back is kept", async () => {
    await signInExpired();
    faults().set([{ delay: 600, path: "/oauth/token", when: "after" }]);
    const running = bench.machine.start(["orders", "dispatch", "7"]);
    await expect.poll(() => server().counters.refreshes, { timeout: 20_000 }).toBe(1);
    running.child.kill("SIGTERM");
    expect(await running.finished).toMatchObject({ code: 143, stdout: "" });
    expect(session().tokens.generation).toBe(2);
    faults().set([]);
    const before = snapshot(bench.machine.configFolder);
    expect((await bench.inProcess("status --check")).code).toBe(0);
    expect(Object.keys(snapshot(bench.machine.configFolder))).toEqual(
      expect.arrayContaining(Object.keys(before)),
    );
    expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
  });

  test("at Ctrl-C however long the answer takes, and the person is told what is waited for", async () => {
    await signInExpired();
    faults().set([{ delay: 4_500, path: "/oauth/token", when: "after" }]);
    const running = bench.machine.start(["orders", "dispatch", "7", "--timeout", "1s"]);
    await expect.poll(() => server().counters.refreshes, { timeout: 20_000 }).toBe(1);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.finished;
    expect({ code, generation: session().tokens.generation }).toEqual({ code: 130, generation: 2 });
    expect(stderr).toContain("Waiting for what must not be cut short");
  });
});
