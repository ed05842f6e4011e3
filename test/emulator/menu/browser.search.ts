/** The menu's pages behind a pre-filled order's links, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { PrefilledOrder } from "../../../src/contract/models.js";
import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import { axeFindings, chromiumAvailable, openChromium } from "../../support/browser.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: the menu's browser tests are skipped.");

// The browser's own code is text here: the project's types know of no document.
/** What doesn't fit its box: the page itself, or anything in it. */
const cutOff = `[document.documentElement, ...document.querySelectorAll("body *")]
  .filter((element) => getComputedStyle(element).display !== "inline")
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.cloneNode().outerHTML ?? element.tagName)`;

const dinner = {
  order_type: "delivery",
  customer: { name: "Maria Aparecida", phone: "11999990000" },
  cart: [
    {
      item_id: 3002,
      quantity: 2,
      observation: "sem cebola,\npor favor",
      option_groups: [
        { option_group_id: 81, options: [{ option_id: 901, quantity: 2 }, { option_id: 903 }] },
      ],
    },
    {
      item_id: 3008,
      combo_steps: [
        {
          combo_step_id: 71,
          item: {
            item_id: 3002,
            observation: "bem passado",
            option_groups: [{ option_group_id: 81, options: [{ option_id: 902 }] }],
          },
        },
        { combo_step_id: 73, item: { item_id: 3009 } },
      ],
    },
    { item_id: 3007, quantity: 999 },
  ],
  delivery_address: {
    street: "Rua das Acácias",
    number: "120",
    neighborhood: "Centro",
    complement: "Apto 51",
    city: "São Paulo",
    state: "SP",
    postal_code: "01310100",
    reference: "ao lado da padaria",
    address_block: "Q. 14",
    address_lot: "Lt. 3",
    latitude: "-23.56",
    longitude: "-46.65",
  },
};

const markup = `"><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`;
const bidi = "\u202eodavired\u2066 \u001b[31m \u0000 \u0085";
const hostile = {
  order_type: "delivery",
  customer: { name: markup + bidi, phone: "1".repeat(300) },
  cart: [
    { item_id: 3001, observation: markup + "\n" + "W".repeat(400) },
    { item_id: 3008, combo_steps: [{ combo_step_id: 71, item: { item_id: 3002, observation: markup } }] },
  ],
  delivery_address: { street: markup, city: bidi, reference: "ü".repeat(500), complement: "\ud800" },
};

describe.skipIf(!chromiumAvailable)("the menu in a browser", () => {
  let browser: Browser;
  let page: Page;
  let emulator: Emulator;
  const complaints: string[] = [];

  beforeAll(async () => {
    [browser, emulator] = await Promise.all([openChromium(), startEmulator({ orders: 0 })]);
    // One for all: a new one costs more than what most tests look at.
    page = await browser.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await emulator.close();
  });
  beforeEach(async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: "light" });
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  async function create(order: object, storeId = 501): Promise<PrefilledOrder> {
    const answer = await fetch(`${emulator.url}/api/partner/v1/orders/prefilled_order`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": emulator.world.stores.get(storeId)?.apiKey ?? "",
      },
      body: JSON.stringify(order),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as PrefilledOrder;
  }
  const text = () => page.locator("body").innerText();
  const look = async (name: string) => {
    expect(await page.evaluate<string[]>(cutOff)).toEqual([]);
    const { COMANDA_SCREENSHOTS: folder } = process.env;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/menu-${name}.png`, fullPage: true });
  };

  test("shows the order with all that was chosen, and what it costs", async () => {
    const { order_url } = await create(dinner);
    await page.goto(order_url);
    expect(await page.title()).toBe("Your order · Cantina São João");
    const lines = await page.locator(".lines > li").allInnerTexts();
    expect(lines).toHaveLength(3);
    const [burger, combo, sweets] = lines.map((line) => line.replaceAll(/\s+/g, " "));
    // 2 x (24.90 + 2 x 4.50)
    expect(burger).toBe(
      '2× X-Salada "da casa" R$67.80 R$24.90 each 2× Bacon (Adicionais) +R$9.00 Sem sal (Adicionais) Note: sem cebola, por favor',
    );
    // 39.90 + 3.99
    expect(combo).toBe(
      '1× Combo da Vó R$43.89 O lanche X-Salada "da casa" Queijo coalho (Adicionais) +R$3.99 Note: bem passado ' +
        "O acompanhamento not chosen yet A bebida Suco de caju 300 ml",
    );
    expect(sweets).toBe("999× Bala de troco R$49.95 R$0.05 each");
    expect(await page.locator(".totals .total dd").innerText()).toBe("R$161.64");
    expect(await page.locator(".kind").innerText()).toBe("Delivery");
  });

  test("leads on to the checkout with customer and address, and back", async () => {
    const { order_url, checkout_url } = await create(dinner);
    await page.goto(order_url);
    await page.getByRole("link", { name: "Go to checkout" }).click();
    expect(page.url()).toBe(checkout_url);
    const facts = (await page.locator(".facts > div").allInnerTexts()).map((fact) => fact.split(/\s*\n\s*/));
    expect(Object.fromEntries(facts)).toEqual({
      Name: "Maria Aparecida",
      Phone: "11999990000",
      Street: "Rua das Acácias, 120",
      Block: "Q. 14",
      Lot: "Lt. 3",
      Complement: "Apto 51",
      Neighborhood: "Centro",
      City: "São Paulo, SP",
      "Postal code": "01310100",
      Landmark: "ao lado da padaria",
      Position: "-23.56, -46.65",
    });
    expect(await page.locator(".totals .total dd").innerText()).toBe("R$161.64");
    await page.getByRole("link", { name: "Back to the order" }).click();
    expect(page.url()).toBe(order_url);
  });

  test("says what is left to the customer", async () => {
    const empty = await create({ order_type: "delivery" }, 503);
    await page.goto(empty.order_url);
    expect(await text()).toContain("The cart is empty");
    expect(await page.locator(".totals .total dd").innerText()).toBe("€0.00");
    await page.goto(empty.checkout_url);
    expect((await text()).match(/Not given: the customer fills it in\./g)).toHaveLength(2);
    const takeout = await create({ order_type: "takeout", cart: [{ item_id: 3001 }] });
    await page.goto(takeout.checkout_url);
    expect(await text()).toMatch(/Pickup at\s+Cantina São João/);
    expect(await text()).not.toContain("Delivery");
  });

  test.each([
    ["an order that isn't there", "/menu/501/prefilled/0123456789abcdef01"],
    ["its checkout", "/menu/501/prefilled/0123456789abcdef01/checkout"],
    ["another page", "/menu/nothing"],
  ])("has no page for %s", async (_, address) => {
    const answer = await page.goto(emulator.url + address);
    expect(answer?.status()).toBe(404);
    expect(await page.getByRole("heading").innerText()).toBe("Page not found");
    // Chromium reports a page that is 404 by itself.
    expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  });

  test("shows an order at its own store alone", async () => {
    const { order_url } = await create(dinner);
    expect((await fetch(order_url.replace("/501/", "/502/"))).status).toBe(404);
  });

  test.each(["order_url", "checkout_url"] as const)("shows hostile text as text: %s", async (link) => {
    const made = await create(hostile);
    await page.setViewportSize({ width: 360, height: 800 });
    const answer = await page.goto(made[link]);
    const headers = answer?.headers() ?? {};
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self'/,
    );
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    expect(headers["cache-control"]).toBe("no-store");
    expect(await page.title()).not.toContain("owned");
    expect(await page.locator("script, img[onerror], img[src='x']").count()).toBe(0);
    expect(await text()).toContain(markup);
    await look(`hostile-${link}`);
  });

  test("has every price at the right, beside its name, at any width", async () => {
    const made = await create(dinner);
    for (const link of ["order_url", "checkout_url"] as const) {
      await page.goto(made[link]);
      for (const width of [320, 375, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const prices = await page.evaluate<{ top: number; right: number; nameTop: number; edge: number }[]>(`
          [...document.querySelectorAll(".amount, .options > li > :nth-child(2)")].map((price) => {
            const { top, right } = price.getBoundingClientRect();
            const name = price.previousElementSibling.getBoundingClientRect();
            const line = price.closest(".lines").getBoundingClientRect();
            return { top: Math.round(top), right: Math.round(right), nameTop: Math.round(name.top), edge: Math.round(line.right) };
          })`);
        expect(prices.length).toBeGreaterThanOrEqual(5);
        for (const { top, right, nameTop, edge } of prices)
          expect({ width, top, right }).toEqual({ width, top: nameTop, right: edge });
      }
    }
  });

  test.each(["order_url", "checkout_url"] as const)(
    "fits a phone and a desktop, in light and dark, without obstacles: %s",
    async (link) => {
      const made = await create(dinner);
      await page.goto(made[link]);
      // What axe looks for depends on the colours or on the width, not on both together.
      for (const [width, colorScheme] of [
        [375, "light"],
        [1280, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await look(`${link}-${width}-${colorScheme}`);
        expect(await axeFindings(page), `${width} ${colorScheme}`).toEqual([]);
      }
    },
  );
});
