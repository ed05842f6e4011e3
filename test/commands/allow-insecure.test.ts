/** An emulator on another machine, over http: this test uses an address of this machine other than loopback. */
import { networkInterfaces } from "node:os";

import { expect, test } from "vitest";

import { createClient } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { Bench, containing } from "../support/bench.js";

const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;
if (address === undefined) console.warn("This machine has no network: an emulator elsewhere is skipped.");

test("the variable is suggested only if it helps", async () => {
  const bench = await Bench.open();
  const set = (line: string) => bench.inProcess(`env set ${line}`);
  const http = "http://api.example";
  const redirect = `box --base-url https://api.example --redirect-uri ${http}:80/`;
  const stderr = expect.not.stringContaining("COMANDA_ALLOW_INSECURE") as string;
  for (const line of ["box --base-url ftp://api.example", redirect, `sandbox --base-url ${http}`])
    expect(await set(line), line).toMatchObject({ code: 2, stderr });
  expect((await set(`box --base-url ${http}`)).stderr).toContain("COMANDA_ALLOW_INSECURE=1");
});

test.skipIf(address === undefined)("an emulator elsewhere is called if the variable allows it", async () => {
  const bench = await Bench.open({ host: "0.0.0.0", controlToken: "a-token-of-tests-alone" });
  const baseUrl = `http://${address ?? ""}:${new URL(bench.emulator.baseUrl).port}`;
  const setEnvironment = (name: string, env: Readonly<Record<string, string>> = {}) => {
    const addresses = ["--base-url", baseUrl, "--auth-url", `${baseUrl}/portal/authorize`];
    return bench.inProcess(["env", "set", name, ...addresses, "--client-id", "comanda-local"], { env });
  };
  const hint = containing("COMANDA_ALLOW_INSECURE=1");
  expect(await setEnvironment("box")).toMatchObject({ code: 2, stderr: hint });
  const allowed = { COMANDA_ALLOW_INSECURE: "1" };
  // The service's own environments always require https.
  expect(await setEnvironment("sandbox", allowed)).toMatchObject({ code: 2 });
  expect(await setEnvironment("box", allowed)).toMatchObject({ code: 0 });
  const login = ["login", "--api-key", "--store", "centro", "--env", "box"];
  expect(await bench.inProcess(login, { input: bench.keyOf() })).toMatchObject({ code: 0 });
  // The control API requires its token.
  const orders = bench.emulator.world.orders.ofStore(501);
  const order = String(
    orders.find((each) => each.status === "confirmed" && each.orderType === "delivery")?.id,
  );
  expect(await bench.inProcess(`orders dispatch ${order}`)).toMatchObject({ code: 0 });
  expect(bench.stored(order).status).toBe("released");

  const { clientOptions } = await fileSession({ folder: bench.machine.configFolder });
  await createClient(clientOptions).deliverOrder(order);
  expect(bench.stored(order).status).toBe("delivered");
});
