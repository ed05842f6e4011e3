/** An evening has the same result with every service that differs from the emulator in one reading. */
import { expect, test } from "vitest";

import { dimensions } from "../../src/api/values.js";
import { deviations } from "../../src/emulator/readings.js";
import type { InProcessOptions } from "../support/context.js";
import { StoreDesk } from "../support/desk.js";

const tried = [{ reading: "success_status", value: 204 }, ...deviations];

test.each(tried)("an evening's commands succeed if $reading is $value", async ({ reading, value }) => {
  const store = await StoreDesk.open({ orders: 40, readings: { [reading]: value } });
  const { desk, emulator } = store;
  const ends = async (exit: number, line: string, env: InProcessOptions["env"] = {}) => {
    const { code, stderr } = await store.comanda(line, { env });
    expect({ line, code, stderr }).toEqual({ line, code: exit, stderr });
  };
  // The service knows the app, so it revokes its tokens.
  await store.signIn("centro", 501, (session) => ({
    ...session,
    environment: { ...session.environment, client_id: emulator.clientId },
  }));
  const made = { delivered_by: "merchant", payment_method_ids: [1] };
  const [one = "", other = "", gone = ""] = await Promise.all(
    ["ready", "ready", "confirmed"].map((status) => store.order({ ...made, status })),
  );
  await ends(0, `driver assign ${one} 11 --fee 7.50`);
  await ends(0, `api PUT /api/partner/v1/orders/${other}/driver -F driver_id=11`);
  expect(store.stored(one)).toMatchObject({ driverId: 11, driverFee: 7.5 });
  expect(store.stored(other)).toMatchObject({ driverId: 11 });
  await ends(0, `orders dispatch ${one} ${other}`);
  expect(store.statuses([one, other])).toEqual(["released", "released"]);
  await ends(0, `orders deliver ${one}`);
  await ends(10, `orders finalize ${one} 999999`);
  await ends(6, `orders cancel ${one} --reason late`);
  await ends(0, `orders cancel ${gone}`);
  expect(store.statuses([one, gone])).toEqual(["closed", "canceled"]);

  await ends(5, "orders dispatch 999999");
  await ends(2, `driver assign ${other} 999`);
  const unknown = { COMANDA_BASE_URL: emulator.baseUrl, COMANDA_ACCESS_TOKEN: "at_unknown" };
  await ends(3, `orders dispatch ${other}`, unknown);
  const { access_token: narrow } = emulator.service.server.install(501, "painel-de-vendas");
  await desk.signIn("menos", emulator.baseUrl, narrow);
  await ends(4, `driver assign ${other} 12 --store menos`);

  const days = "--period last-30-days --tz America/Sao_Paulo --store centro";
  await ends(0, `summary ${days} --compare previous`);
  for (const by of dimensions) await ends(0, `grouped --by ${by} ${days}`);
  desk.pass(60_000);
  // The service rejects the sixth request.
  const off = { COMANDA_RATE_LIMITS: "off" };
  for (const exit of [0, 0, 0, 0, 0, 7]) await ends(exit, `summary ${days} --fresh --max-wait 0`, off);
  const order = "prefill --order-type takeout --customer-name Ana --item 3001";
  await ends(0, order, store.keyEnvironment());
  desk.pass(60_000);
  for (const line of ["status --check", "history", "logout"]) await ends(0, `${line} --store centro`);
});
