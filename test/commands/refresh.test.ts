import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const tokenPath = "POST /api/partner/oauth/token";
const session = () => readSession(bench.machine.configFolder);
const { server, faults } = {
  server: () => bench.emulator.service.server,
  faults: () => bench.emulator.service.faults,
};

/** With a token whose time is nearly over. */
const signInExpired = () => bench.signInExpired(5);
const revokeAccessToken = () => {
  server().revoke({ client_id: bench.emulator.clientId, token: session().tokens.access_token });
};

describe("an access token whose time is over", () => {
  test("is renewed once, and the new session is kept", async () => {
    await signInExpired();
    const before = session().tokens;
    const [one, two] = [await bench.order(), await bench.order()];
    expect(await bench.inProcess(`orders dispatch ${one}`)).toMatchObject({ code: 0, stderr: "" });
    const after = session();
    expect(after.tokens).toMatchObject({ generation: before.generation + 1, scopes: before.scopes });
    expect(after.tokens.access_token).not.toBe(before.access_token);
    expect(after.tokens.refresh_token).not.toBe(before.refresh_token);
    expect(after.tokens.expires_at).toBeGreaterThan(before.expires_at);
    expect(after).not.toHaveProperty("refresh_in_flight");
    expect((await bench.inProcess(`orders dispatch ${two}`)).code).toBe(0);
    expect(bench.requests()).toEqual([
      tokenPath,
      `POST /api/partner/v1/orders/${one}/dispatch`,
      `POST /api/partner/v1/orders/${two}/dispatch`,
    ]);
  });
});

describe("an access token that the service refuses", () => {
  test("leads to one refresh and one repeat", async () => {
    await bench.signIn();
    revokeAccessToken();
    bench.forgetRequests();
    const order = await bench.order();
    const { code, stdout } = await bench.inProcess(`orders dispatch ${order} --json`);
    expect(code).toBe(0);
    expect(parseJson(stdout)).toMatchObject({ outcome: "done", attempts: 2 });
    const call = `POST /api/partner/v1/orders/${order}/dispatch`;
    expect(bench.requests()).toEqual([call, tokenPath, call]);
    expect(session().tokens.generation).toBe(2);
  });
  test("is not renewed again where the new one is refused too: exit 3 after one repeat", async () => {
    await bench.signIn();
    faults().set([{ status: 401, path: "/dispatch", body: "{}" }]);
    bench.forgetRequests();
    const { code, stderr } = await bench.inProcess("orders dispatch 7");
    expect(code).toBe(3);
    expect(stderr).toContain("comanda login");
    const call = "POST /api/partner/v1/orders/7/dispatch";
    expect(bench.requests()).toEqual([call, tokenPath, call]);
  });
});

describe("a refresh that doesn't succeed", () => {
  test("because the app was uninstalled: exit 3, the session is kept, and nothing asks again", async () => {
    await signInExpired();
    server().uninstall(501);
    const first = await bench.inProcess("orders dispatch 7");
    expect(first).toMatchObject({ code: 3, stdout: "" });
    expect(first.stderr).toMatch(/uninstalled[\s\S]*comanda login --store centro --env test/);
    expect(session().tokens.generation).toBe(1);
    expect((await bench.inProcess("orders dispatch 7")).code).toBe(3);
    expect(bench.requests()).toEqual([tokenPath]);
  });
});
