/** The pages behind a pre-filled order's links (section 4.9). */
import { describe, expect, test } from "vitest";

import type { PrefilledOrder } from "../../../src/api/models.js";
import { createTestEmulator, sending } from "../support.js";

const emulator = createTestEmulator({ rateLimits: false });

async function create(order: object, storeId = 501): Promise<PrefilledOrder> {
  const headers = { "x-api-key": emulator.apiKey(storeId) };
  const answer = await emulator.request(
    "/api/partner/v1/orders/prefilled_order",
    sending("POST", order, headers),
  );
  expect(answer.status).toBe(201);
  return (await answer.json()) as PrefilledOrder;
}
const open = (url: string) => emulator.request(new URL(url).pathname);
/** What a person reads. */
const textOf = async (url: string) =>
  (await (await open(url)).text())
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ");

const dinner = {
  order_type: "delivery",
  customer: { name: "Maria Aparecida", phone: "11999990000" },
  cart: [
    {
      item_id: 3002,
      quantity: 2,
      observation: "sem cebola",
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
  delivery_address: { street: "Rua das Acácias", number: "120", city: "São Paulo", complement: null },
};

describe("the menu's pages", () => {
  test("show the order with all that was chosen, and what it costs", async () => {
    const { order_url, checkout_url } = await create(dinner);
    for (const url of [order_url, checkout_url]) {
      const text = await textOf(url);
      // 2 x (24.90 + 2 x 4.50), 39.90 + 3.99, 999 x 0.05
      for (const shown of [
        /2× X-Salada "da casa" R\$67\.80 \+ 2× Bacon \( Adicionais \) R\$9\.00 \+ 1× Sem sal/,
        /Note: sem cebola/,
        /1× Combo da Vó R\$43\.89 O lanche : X-Salada "da casa" \+ 1× Queijo coalho/,
        /Note: bem passado O acompanhamento : not chosen yet A bebida : Suco de caju 300 ml/,
        /999× Bala de troco R\$49\.95/,
        /Items total: R\$161\.64/,
      ])
        expect(text).toMatch(shown);
    }
  });

  test("say what is left to the customer", async () => {
    const empty = await create({ order_type: "delivery" }, 503);
    expect(await textOf(empty.order_url)).toMatch(/The cart is empty/);
    expect((await textOf(empty.checkout_url)).match(/Not given: the customer fills it in\./g)).toHaveLength(
      2,
    );
    const takeout = await create({ order_type: "takeout", cart: [{ item_id: 3001 }] });
    expect(await textOf(takeout.checkout_url)).toMatch(/Pickup at Cantina São João/);
  });

  test("show an order at its own store alone", async () => {
    const { order_url } = await create(dinner);
    for (const url of [order_url.replace("/501/", "/502/"), `${order_url}0`]) {
      const answer = await open(url);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("Page not found")]);
    }
  });

  test("show hostile text as text", async () => {
    const markup = `"><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`;
    const made = await create({
      order_type: "delivery",
      customer: { name: markup },
      cart: [{ item_id: 3001, observation: markup }],
      delivery_address: { street: markup },
    });
    for (const url of [made.order_url, made.checkout_url]) {
      const answer = await open(url);
      expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; base-uri 'none'/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const page = await answer.text();
      expect(page).toContain("&lt;script&gt;");
      expect(page).not.toMatch(/<script|<img/);
    }
  });
});
