/** What `comanda prefill` does with the link: `--open`, `--qr`, `--qr-file`. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import jsqr from "jsqr";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Bench } from "../support/bench.js";
import { chromiumAvailable, launchChromium } from "../support/browser.js";
import { desktopOf, type Desktop } from "../support/desktop.js";
import { scanQr } from "../support/scan-qr.js";
import { atTerminal, terminalAvailable } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");
if (!chromiumAvailable)
  console.warn("Chromium isn't installed: the tests that look at pictures are skipped.");

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
  const { id } = bench.emulator.world.prefilledOrders.all().at(-1) ?? { id: "none" };
  return `${bench.emulator.url}/menu/501/prefilled/${id}`;
};
const loopback = () =>
  `The QR code leads to ${new URL(bench.emulator.url).host}, which is this machine alone: a phone can't open it.\n`;
const inFolder = (name: string) => path.join(bench.machine.folder, name);
describe("--qr", () => {
  const code = (text: string) => text.split("\n").filter((line) => /^[ █▀▄]{29,}$/.test(line));

  it("draws the order page's address on stdout, below the links", async () => {
    const { code: exit, stdout, stderr } = await bench.comanda([...order, "--qr"], { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: loopback() });
    expect(stdout).toContain(`Order page:     ${link()}\n`);
    expect(scanQr(code(stdout), "light")).toBe(link());
  });

  it.skipIf(!terminalAvailable)("is black on white at a terminal with colours", async () => {
    const { stdout } = await atTerminal(bench.machine, [...order, "--qr"], { env });
    const lines = stdout.split("\n").filter((line) => line.startsWith("\u001b[38;5;16;48;5;231m"));
    expect(lines.length).toBeGreaterThan(15);
    const plain = await atTerminal(bench.machine, [...order, "--qr", "--no-color"], { env });
    expect(plain.stdout).not.toContain("\u001b[38;5;16");
    expect(scanQr(code(plain.stdout.replaceAll("\r", "")), "light")).toBe(link());
  });
});

describe("--qr-file", () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (chromiumAvailable) browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.skipIf(!chromiumAvailable).each(["order.svg", "order.png", "ORDER.PNG"])(
    "%s shows the address, as a browser draws it",
    async (name) => {
      const before = readdirSync(bench.machine.folder);
      const { code, stderr } = await bench.comanda([...order, "--qr-file", name], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: `The QR code is in ${name}.\n${loopback()}` });
      expect(readdirSync(bench.machine.folder).sort()).toEqual([...before, name].sort());
      const type = name.endsWith("svg") ? "image/svg+xml" : "image/png";
      const data = `data:${type};base64,${readFileSync(inFolder(name)).toString("base64")}`;
      const page = await browser?.newPage();
      const { pixels = [], width = 0 } =
        (await page?.evaluate<{ pixels: number[]; width: number }>(`new Promise((resolve) => {
        const image = new Image();
        image.onload = () => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0, 400, 400);
          resolve({ pixels: [...context.getImageData(0, 0, 400, 400).data], width: 400 });
        };
        image.src = ${JSON.stringify(data)};
      })`)) ?? {};
      expect(jsqr.default(Uint8ClampedArray.from(pixels), width, width)?.data).toBe(link());
      await page?.close();
    },
  );
});

describe("--open", () => {
  it("opens nothing without a terminal, and says so", async () => {
    const { code, stdout, stderr } = await bench.comanda([...order, "--open"], { env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "warning: There is no terminal here, so the order page isn't opened.\n",
    });
    expect(stdout).toContain(link());
    expect(desktop.opened()).toEqual([]);
  });

  it.skipIf(!terminalAvailable || process.platform !== "linux")(
    "opens the order page at a terminal",
    async () => {
      const { code } = await atTerminal(bench.machine, [...order, "--open"], { env });
      await desktop.firstOpened();
      expect({ code, opened: desktop.opened() }).toEqual({ code: 0, opened: [link()] });
    },
  );
});
