/** The emulator's pages in the language of whoever reads them. */
import { describe, expect, test } from "vitest";

import { authorizationParameters } from "./portal/fixture.js";
import { localClientId, localRedirectUri } from "../../src/emulator/seed/cast.js";
import { createTestEmulator, sending, someStore } from "./support.js";

const emulator = createTestEmulator();

/** A visitor who keeps cookies. */
function createVisitor(language: string) {
  let cookie = "";
  const open = async (path: string, form?: Readonly<Record<string, string>>) => {
    const response = await emulator.request(path, {
      headers: {
        "accept-language": language,
        cookie,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { method: "POST", body: new URLSearchParams(form).toString() }),
    });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return response;
  };
  const formToken = async (path: string) =>
    /name="form_token" value="([^"]+)"/.exec(await (await open(path)).text())?.[1] ?? "";
  return {
    open,
    send: async (path: string, form: Readonly<Record<string, string>>) =>
      open(path, { ...form, form_token: await formToken("/portal/login") }),
  };
}

type Visitor = ReturnType<typeof createVisitor>;

async function order(path: string): Promise<string> {
  const cart = [{ item_id: 3002, quantity: 2, observation: "sem cebola" }, { item_id: 3008 }];
  const body = {
    order_type: "delivery",
    customer: { name: "Maria", phone: "11999990000" },
    cart,
    delivery_address: {
      street: "Rua das Acácias",
      number: "120",
      city: "São Paulo",
      postal_code: "01310100",
    },
  };
  const init = sending("POST", body);
  const headers = new Headers(init.headers);
  headers.set("x-api-key", emulator.apiKey(someStore));
  const answer = await emulator.request("/api/partner/v1/orders/prefilled_order", { ...init, headers });
  const { order_url: url } = (await answer.json()) as { order_url: string };
  return new URL(url).pathname + path;
}

const query = new URLSearchParams({
  ...authorizationParameters,
  client_id: localClientId,
  redirect_uri: localRedirectUri,
}).toString();

/** Each with what stands at its top in Portuguese. */
const pages: readonly (readonly [
  name: string,
  heading: string,
  open: (visitor: Visitor) => Promise<Response>,
])[] = [
  ["front page", "O serviço, nesta máquina", async ({ open }) => open("/")],
  [
    "front page with an order",
    "O serviço, nesta máquina",
    async ({ open }) => {
      await order("");
      return open("/");
    },
  ],
  ["portal", "Portal da loja", async ({ open }) => open("/portal")],
  ["sign-in", "Entrar", async ({ open }) => open(`/portal/login?${query}`)],
  ["sign-in as nobody", "Entrar", async ({ send }) => send("/portal/login", {})],
  [
    "consent",
    "pede acesso à sua loja",
    async (visitor) => signedIn(visitor, "ana", `/portal/authorize?${query}`),
  ],
  [
    "consent without a choice",
    "pede acesso à sua loja",
    async ({ send }) => {
      await send("/portal/login", { person_id: "ana" });
      return send(`/portal/authorize?${query}`, {});
    },
  ],
  [
    "consent of one who isn’t the owner",
    "Só o dono pode autorizar um aplicativo",
    async (visitor) => signedIn(visitor, attendant, `/portal/authorize?${query}`),
  ],
  ["integrations", "Integrações", async (visitor) => signedIn(visitor, "ana", "/portal/integrations")],
  [
    "integrations of another",
    "Só o dono pode ver isto",
    async (visitor) => signedIn(visitor, attendant, "/portal/integrations"),
  ],
  [
    "stale form",
    "Esta página ficou aberta por tempo demais",
    async ({ open }) => open("/portal/login", { person_id: "ana" }),
  ],
  [
    "too long a form",
    "O formulário é longo demais",
    async ({ open }) => open("/portal/login", { person_id: "a".repeat(70_000) }),
  ],
  ["broken link of an app", "Este link não funciona", async ({ open }) => open("/portal/authorize")],
  ["no page of the portal", "Página não encontrada", async ({ open }) => open("/portal/nothing")],
  ["no page of the menu", "Página não encontrada", async ({ open }) => open("/menu/nothing")],
  ["order", "Seu pedido", async ({ open }) => open(await order(""))],
  ["checkout", "Finalizar pedido", async ({ open }) => open(await order("/checkout"))],
];

const attendant =
  emulator.service.world.people.find(({ profile }) => profile !== "owner")?.id ?? "nobody but owners";

async function signedIn({ open, send }: Visitor, person: string, path: string): Promise<Response> {
  await send("/portal/login", { person_id: person });
  return open(path);
}

/** What people read on a page, but for names of people, shops and dishes, and for codes. */
function textsOf(html: string): readonly string[] {
  const content = html
    .replaceAll(/<dd lang="en">.*?<\/dd>/gs, "")
    .replaceAll(/<(bdi|code)[^>]*>.*?<\/\1>/gs, "<$1>")
    .replaceAll(/ aria-label="([^"]*)"/g, ">$1<");
  return [...content.matchAll(/>([^<]+)</g)]
    .map(([, text = ""]) => text.trim())
    .filter((text) => text !== "");
}

/** The same in both languages: the program's name, those of stores, and what has no words. */
function isShared(text: string): boolean {
  const stores = [...emulator.service.world.stores.values()].map(({ name }) => name);
  return text === "comanda" || stores.includes(text) || /^[^\p{L}]*$/u.test(text);
}

describe("a page of the emulator", () => {
  test.each(pages)("speaks its reader's language: %s", async (_, heading, open) => {
    const [english, portuguese] = await Promise.all([
      open(createVisitor("en-US,en;q=0.9")),
      open(createVisitor("pt-BR,pt;q=0.9,en;q=0.8")),
    ]);
    expect(portuguese.status).toBe(english.status);
    expect(portuguese.headers.get("vary")).toBe("Accept-Language");
    const [inEnglish, inPortuguese] = [await english.text(), await portuguese.text()];
    expect(inEnglish).toContain('<html lang="en">');
    expect(inPortuguese).toContain('<html lang="pt-BR">');
    expect(textsOf(/<h1>.*?<\/h1>/s.exec(inPortuguese)?.[0] ?? "")).toEqual([heading]);
    const texts = new Set(textsOf(inEnglish));
    expect(textsOf(inPortuguese).filter((text) => texts.has(text) && !isShared(text))).toEqual([]);
  });

  test.each([
    ["pt", "pt-BR"],
    ["pt-PT", "pt-BR"],
    ["de, pt;q=0.5", "pt-BR"],
    ["en;q=0.5, PT-br", "pt-BR"],
    ["en, pt;q=0.9", "en"],
    ["pt;q=0, *", "en"],
    ["de", "en"],
    ["*", "en"],
    ["", "en"],
  ])("is for a browser that wants %j in %s", async (accepted, language) => {
    const answer = await createVisitor(accepted).open("/portal");
    expect(await answer.text()).toContain(`<html lang="${language}">`);
  });

  test("writes money as its reader does", async () => {
    const path = await order("");
    const read = async (language: string) => (await createVisitor(language).open(path)).text();
    expect(await read("pt-BR")).toMatch(/>R\$\u00a0\d+,\d{2}</);
    expect(await read("en")).toMatch(/>R\$\d+\.\d{2}</);
  });
});

test("the API answers in English, whatever the reader's language is", async () => {
  const answer = async (language: string) =>
    (await emulator.request("/api/partner/v1/nothing", { headers: { "accept-language": language } })).text();
  expect(await answer("pt-BR")).toBe(await answer("en"));
});
