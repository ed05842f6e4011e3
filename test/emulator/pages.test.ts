/** The emulator's pages and those of a sign-in, beside what the portal's and the menu's own tests say of them. */
import { readFileSync } from "node:fs";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callbackPage } from "../../src/auth/redirect-listener.js";
import type { Emulator } from "../../src/emulator/index.js";
import { docsRoutes } from "../../src/emulator/http/api-docs/routes.js";
import { servedOperations } from "../../src/emulator/http/partner-api/operations.js";
import { axeFindings, chromiumAvailable, openChromium } from "../support/browser.js";
import { startEmulator } from "../support/emulators.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: axe doesn't look at the emulator's pages.");

let emulator: Emulator;
let order: string;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 20 });
  const answer = await fetch(`${emulator.url}/api/partner/v1/orders/prefilled_order`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": emulator.world.stores.get(501)?.apiKey ?? "",
    },
    body: JSON.stringify({ order_type: "takeout", cart: [{ item_id: 3001 }] }),
  });
  order = new URL(((await answer.json()) as { order_url: string }).order_url).pathname;
});
afterAll(() => emulator.close());

describe("the emulator's pages", () => {
  /** Where the links of a page lead. */
  const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, to = ""]) => to);

  test("Every page is reached from the front page and leads back to it, and no link leads nowhere", async () => {
    const seen = new Map<string, string>();
    const left = ["/"];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (seen.has(path)) continue;
      const answer = await fetch(emulator.url + path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
      const html = isPage ? await answer.text() : "";
      seen.set(path, html);
      left.push(...linksOf(html));
    }
    expect([...seen.keys()]).toEqual(expect.arrayContaining(["/portal", order, `${order}/checkout`]));
    // The description of the API is a page of Swagger UI's.
    const pages = [...seen].filter(([path, html]) => html !== "" && !path.startsWith("/docs"));
    for (const [path, html] of pages) expect(linksOf(html), path).toContain("/");
    for (const path of ["/portal/nothing", "/menu/nothing"])
      expect(linksOf(await (await fetch(emulator.url + path)).text())).toContain("/");
  });

  describe("the API's description where Swagger UI isn't installed", () => {
    const read = async (language: string) => {
      const headers = { "accept-language": language };
      return (await docsRoutes(() => undefined).request("/openapi", { headers })).text();
    };

    test("names every operation, and leads to the document and back", async () => {
      const html = await read("en");
      for (const { method, path } of servedOperations) expect(html).toContain(`${method} ${path}`);
      expect(linksOf(html)).toEqual(expect.arrayContaining(["/", "/openapi.json"]));
      expect(html).not.toContain("<script");
    });

    test("names the Swagger UI that comanda was tried with", async () => {
      const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
      const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
      expect(await read("en")).toContain(
        `npm install swagger-ui-dist@${devDependencies["swagger-ui-dist"] ?? "?"}<`,
      );
    });

    test("speaks its reader's language", async () => {
      expect(await read("pt-BR")).toMatch(
        /<html lang="pt-BR">.*<h1>A descrição da API<.*Atribuir ou trocar/s,
      );
    });
  });

  describe.skipIf(!chromiumAvailable)("in a browser", () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await openChromium();
      page = await browser.newPage();
    });
    afterAll(() => browser.close());

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
  });
});
