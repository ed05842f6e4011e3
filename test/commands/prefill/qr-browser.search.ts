/** The QR code of an order's link: what `--qr` prints, and the file of `--qr-file` as a browser draws it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import jsqr from "jsqr";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../../support/bench.js";
import { chromiumAvailable, openChromium } from "../../support/browser.js";
import { scanQr } from "../../support/scan-qr.js";

if (!chromiumAvailable)
  console.warn("Chromium isn't installed: the tests that look at pictures are skipped.");

let bench: Bench;
let env: Record<string, string>;
beforeAll(async () => {
  bench = await Bench.open();
  env = {
    COMANDA_BASE_URL: bench.emulator.baseUrl,
    COMANDA_API_KEY: bench.emulator.world.stores.get(501)?.apiKey ?? "",
  };
});
afterAll(() => bench.close());

/** Pixels that a picture is wide and high where it is read. */
const size = 400;
const order = ["prefill", "--order-type", "takeout"];
const link = () => {
  const { id } = bench.emulator.world.prefilledOrders.all().at(-1) ?? { id: "none" };
  return `${bench.emulator.url}/menu/501/prefilled/${id}`;
};
describe("--qr", () => {
  test("draws the order page's address on stdout, below the links", async () => {
    const { code: exit, stdout, stderr } = await bench.inProcess([...order, "--qr"], { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain(`Order page:     ${link()}\n`);
    expect(
      scanQr(
        stdout.split("\n").filter((line) => /^[ █▀▄]{29,}$/.test(line)),
        "light",
      ),
    ).toBe(link());
  });
});

describe("--qr-file", () => {
  let browser: Browser | undefined;
  let page: Page | undefined;
  beforeAll(async () => {
    if (chromiumAvailable) browser = await openChromium();
    page = await browser?.newPage();
  });
  afterAll(() => browser?.close());

  test.skipIf(!chromiumAvailable).each(["order.svg", "order.png", "ORDER.PNG"])(
    "%s shows the address, as a browser draws it",
    async (name) => {
      const { folder } = bench.machine;
      const before = readdirSync(folder);
      const file = path.join(folder, name);
      const { code, stderr } = await bench.inProcess([...order, "--qr-file", file], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: `The QR code is in ${file}.\n` });
      expect(readdirSync(folder).sort()).toEqual([...before, name].sort());
      const type = name.endsWith("svg") ? "image/svg+xml" : "image/png";
      const data = `data:${type};base64,${readFileSync(file).toString("base64")}`;
      const pixels = await page?.evaluate<string>(`new Promise((resolve) => {
        const image = new Image();
        image.onload = () => {
          const canvas = Object.assign(document.createElement("canvas"), { width: ${size}, height: ${size} });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0, ${size}, ${size});
          const { data } = context.getImageData(0, 0, ${size}, ${size});
          resolve(btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")));
        };
        image.src = ${JSON.stringify(data)};
      })`);
      const drawn = Uint8ClampedArray.from(Buffer.from(pixels ?? "", "base64"));
      expect(jsqr.default(drawn, size, size)?.data).toBe(link());
    },
  );
});
