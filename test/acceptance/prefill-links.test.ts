/** What `comanda prefill` does with the link at a terminal: `--open`, `--qr`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { desktopOf, type Desktop } from "../support/desktop.js";
import { atTerminal, terminalAvailable } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

let bench: Bench;
let env: Record<string, string>;
let desktop: Desktop;

beforeAll(async () => {
  bench = await Bench.open();
  desktop = desktopOf(bench.machine);
  env = {
    ...desktop.env,
    COMANDA_BASE_URL: bench.emulator.baseUrl,
    COMANDA_API_KEY: bench.emulator.world.stores.get(501)?.apiKey ?? "",
  };
});
afterAll(() => bench.close());

const order = ["prefill", "--order-type", "takeout"];
const link = () => {
  const { id } = bench.emulator.world.prefilledOrders.at(-1) ?? { id: "none" };
  return `${bench.emulator.url}/menu/501/prefilled/${id}`;
};

describe("--open", () => {
  test("opens nothing without a terminal, and says so", async () => {
    const { code, stdout, stderr } = await bench.comanda([...order, "--open"], { env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "warning: No browser could be started; open the order page yourself.\n",
    });
    expect(stdout).toContain(link());
    expect(desktop.opened()).toEqual([]);
  });

  test.skipIf(!terminalAvailable || process.platform !== "linux")(
    "opens the order page at a terminal",
    async () => {
      const { code } = await atTerminal(bench.machine, [...order, "--open"], { env });
      await desktop.firstOpened();
      expect({ code, opened: desktop.opened() }).toEqual({ code: 0, opened: [link()] });
    },
  );
});
