/** The emulator's pages and those of a sign-in, beside what the portal's and the menu's own tests say of them. */
import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Emulator } from "../../src/emulator/index.js";
import { docsRoutes } from "../../src/emulator/http/api-docs.js";
import { startEmulator } from "../support/emulators.js";

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

    test("leads to the document and back", async () => {
      const html = await read("en");
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
      expect(await read("pt-BR")).toMatch(/<html lang="pt-BR">.*<h1>A descrição da API</s);
    });
  });
});
