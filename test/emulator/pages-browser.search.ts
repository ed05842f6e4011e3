/** The emulator's pages and those of a sign-in, as a browser shows them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callbackPage } from "../../src/auth/redirect-listener.js";
import { docsRoutes } from "../../src/emulator/http/api-docs.js";
import type { Emulator } from "../../src/emulator/index.js";
import { axeFindings, chromiumAvailable, openChromium } from "../support/browser.js";
import { startEmulator } from "../support/emulators.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: axe doesn't look at the emulator's pages.");

describe.skipIf(!chromiumAvailable)("the emulator's pages in a browser", () => {
  let emulator: Emulator;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    emulator = await startEmulator({ orders: 20 });
    browser = await openChromium();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await emulator.close();
  });

  test.each([
    ["light", 360],
    ["dark", 1280],
  ] as const)(
    "axe finds nothing in the front page and the pages of a sign-in: %s, %i pixels",
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(emulator.url);
      expect(await axeFindings(page)).toEqual([]);
      for (const path of colorScheme === "light" ? ["/portal/nothing", "/menu/nothing"] : []) {
        await page.goto(emulator.url + path);
        expect({ path, found: await axeFindings(page) }).toEqual({ path, found: [] });
      }
      const reference = await docsRoutes(() => undefined).request("/openapi");
      await page.setContent(await reference.text());
      expect(await axeFindings(page)).toEqual([]);
      for (const name of ["signed_in", "access_denied", "failed", "unrelated"] as const) {
        await page.setContent(callbackPage(name));
        expect({ name, found: await axeFindings(page) }).toEqual({ name, found: [] });
      }
    },
  );

  test.each([
    ["light", "bright"],
    ["dark", "dark"],
  ] as const)("Swagger's page is as the reader wants it: %s", async (colorScheme, look) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${emulator.url}/openapi`);
    await page.waitForSelector(".opblock");
    const picture = (await page.screenshot()).toString("base64");
    // The mean of all points, from 0 to 255: the browser itself reads its picture.
    const mean: number = await page.evaluate(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${picture}";
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      return data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / data.length / 0.75;
    })()`);
    expect(mean > 128 ? "bright" : "dark").toBe(look);
  });

  test.each(["en", "pt-BR"])(
    "The front page fits a phone, and tells what happens while it is open: %s",
    async (locale) => {
      const context = await browser.newContext({ locale, viewport: { width: 390, height: 800 } });
      const phone = await context.newPage();
      await phone.clock.install();
      await phone.goto(emulator.url);
      expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await fetch(`${emulator.url}/api/partner/v1/orders/4711/${locale}`, { method: "POST" });
      await phone.clock.fastForward(2_000);
      await phone.locator("#now li", { hasText: `/orders/4711/${locale} 404` }).waitFor();
      const { length } = emulator.service.log.calls();
      await phone.clock.fastForward(2_000);
      expect(emulator.service.log.calls()).toHaveLength(length);
      await phone.keyboard.press("Tab");
      await phone.keyboard.press("Enter");
      expect(new URL(phone.url()).hash).toBe("#content");
      await context.close();
    },
  );

  test("The API's description is browsed without a request to anywhere else", async () => {
    const tab = await browser.newPage();
    const asked = new Set<string>();
    const faults: string[] = [];
    tab.on("request", (request) => asked.add(new URL(request.url()).protocol + new URL(request.url()).host));
    tab.on("pageerror", ({ message }) => faults.push(message));
    tab.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    await tab.goto(`${emulator.url}/openapi`);
    await tab.getByText("Assign or replace the driver of a delivery order").waitFor();
    await tab.getByText("Assign or replace the driver of a delivery order").click();
    await tab.getByText("Code 4000: invalid parameters.").first().waitFor();
    expect(faults).toEqual([]);
    expect([...asked].filter((origin) => !origin.startsWith("data:"))).toEqual([
      `http:${new URL(emulator.url).host}`,
    ]);
  });
});
