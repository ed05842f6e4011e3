/** An emulator on another machine, over http: these tests use an address of this machine other than loopback. */
import { networkInterfaces } from "node:os";

import { beforeEach, describe, expect, test } from "vitest";

import { createClient } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { containing } from "../support/containing.js";
import { Bench } from "../support/bench.js";

const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;
if (address === undefined) console.warn("This machine has no network: an emulator elsewhere is skipped.");

describe.skipIf(address === undefined)("an emulator on another machine", () => {
  let bench: Bench;
  let baseUrl: string;
  beforeEach(async () => {
    bench = await Bench.open({ host: "0.0.0.0", controlToken: "a-token-of-tests-alone" });
    baseUrl = `http://${address ?? ""}:${new URL(bench.emulator.baseUrl).port}`;
  });

  const confirmedOrder = () => {
    const orders = bench.emulator.world.orders.ofStore(501);
    return String(orders.find((each) => each.status === "confirmed" && each.orderType === "delivery")?.id);
  };
  const setEnvironment = (name: string, env: Readonly<Record<string, string>> = {}) => {
    const addresses = ["--base-url", baseUrl, "--auth-url", `${baseUrl}/portal/authorize`];
    return bench.inProcess(["env", "set", name, ...addresses, "--client-id", "comanda-local"], { env });
  };

  test("is called if the environment allows it", async () => {
    const hint = containing("COMANDA_ALLOW_INSECURE=1");
    expect(await setEnvironment("box")).toMatchObject({ code: 2, stderr: hint });
    const allowed = { COMANDA_ALLOW_INSECURE: "1" };
    // The service's own environments always require https.
    expect(await setEnvironment("sandbox", allowed)).toMatchObject({ code: 2 });
    expect(await setEnvironment("box", allowed)).toMatchObject({ code: 0 });
    const login = ["login", "--api-key", "--store", "centro", "--env", "box"];
    expect(await bench.inProcess(login, { input: bench.keyOf() })).toMatchObject({ code: 0 });
    const order = confirmedOrder();
    expect(await bench.inProcess(`orders dispatch ${order}`)).toMatchObject({ code: 0 });
    expect(bench.stored(order).status).toBe("released");

    const { clientOptions } = await fileSession({ folder: bench.machine.configFolder });
    const client = createClient(clientOptions);
    await client.deliverOrder(order);
    expect(bench.stored(order).status).toBe("delivered");
  });
});
