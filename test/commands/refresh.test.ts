/** Commands renew tokens, or say that a new sign-in is required. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { containing } from "../support/containing.js";
import { Bench } from "../support/bench.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const tokenPath = "POST /api/partner/oauth/token";
const session = () => readSession(bench.machine.configFolder);
const dispatchOf = (order: string) => `POST /api/partner/v1/orders/${order}/dispatch`;

test("a rejected token causes one refresh and one retry, whatever their result", async () => {
  await bench.signIn();
  const { clientId: client_id, service } = bench.emulator;
  service.server.revoke({ client_id, token: session().tokens.access_token });
  bench.forgetRequests();
  const order = await bench.order();
  expect((await bench.inProcess(`orders dispatch ${order}`)).code).toBe(0);
  expect(bench.requests()).toEqual([dispatchOf(order), tokenPath, dispatchOf(order)]);
  expect(session().tokens.generation).toBe(2);

  service.faults.set([{ status: 401, path: "/dispatch", body: "{}" }]);
  bench.forgetRequests();
  const ran = await bench.inProcess("orders dispatch 7");
  expect(ran).toMatchObject({ code: 3, stderr: containing("comanda login") });
  expect(bench.requests()).toEqual([dispatchOf("7"), tokenPath, dispatchOf("7")]);
});

test("an uninstalled app: exit code 3, the sign-in stays stored, and no further refresh is sent", async () => {
  await bench.signInExpired(5);
  bench.emulator.service.server.uninstall(501);
  const first = await bench.inProcess("orders dispatch 7");
  expect(first).toMatchObject({ code: 3, stdout: "" });
  expect(first.stderr).toMatch(/uninstalled[\s\S]*comanda login --store centro --env test/);
  expect(session().tokens.generation).toBe(1);
  expect((await bench.inProcess("orders dispatch 7")).code).toBe(3);
  expect(bench.requests()).toEqual([tokenPath]);
});
