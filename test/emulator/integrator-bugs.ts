/**
 * A small program of an integrator's, with the tests that one writes: it throws where something came out wrong. Each bug is
 * one that a program plausibly has; without any, it holds under every reading.
 */
import { createHash } from "node:crypto";

import { localClientId, localRedirectUri } from "../../src/emulator/seed/cast.js";
import type { NewOrder } from "../../src/emulator/http/new-order.js";
import { createTestEmulator, someStore, start, type TestEmulator } from "./support.js";

export const bugs = [
  "takes 204 alone for a success",
  "parses every success as JSON where its type says so",
  "knows a conflict by HTTP 409",
  "takes every 404 for an order that isn't there",
  "quotes the details of a conflict",
  "parses the body of every refusal",
  "waits the number that Retry-After is",
  "compares the Content-Type to the letter",
  "refuses fields that it doesn't know",
  "tells an order without a fee by null",
  "takes the first ten characters of created_at for the store's day",
  "multiplies an option's unit_price",
  "keeps what an answer has for a refresh token",
  "refreshes with the first refresh token for ever",
  "splits the scope of a refreshed token",
  "goes on with the access token from before a refresh",
  "looks an hour up by its number",
  "takes day 0 for Sunday",
  "formats the average of no orders",
  "adds up payment methods to the day's revenue",
  "sends a fee as a text",
  "leaves the plus sign of an offset in the query",
  "goes on when it was refused with 429",
  "never looks at when its token expires",
] as const;
export type Bug = (typeof bugs)[number];

export type Readings = Readonly<Record<string, string | number | boolean>>;

const api = "/api/partner/v1/orders";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @throws {Error} where the program, or a test of it, fails */
export async function runProgram(bug: Bug | undefined, readings: Readings): Promise<void> {
  const emulator = createTestEmulator({ orders: 0, readings });
  const program = new Program(emulator, (name) => bug === name);
  await program.signIn();
  await program.evening();
  await program.figures();
  await program.tokens();
  await program.limits();
}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope?: string;
  expires_in: number;
}

class Program {
  #tokens: Tokens = { access_token: "", expires_in: 0 };
  #firstRefresh: string | undefined;
  #expiresAt = 0;

  constructor(
    private readonly emulator: TestEmulator,
    private readonly has: (bug: Bug) => boolean,
  ) {}

  async #send(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#tokens.access_token}`,
      ...(init.body !== undefined && { "content-type": "application/json" }),
    };
    const answer = await this.emulator.request(path, { headers, ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  #json(answer: Answer): Record<string, unknown> {
    const type = answer.headers.get("content-type") ?? "";
    const isJson = this.has("compares the Content-Type to the letter")
      ? type === "application/json"
      : type.startsWith("application/json");
    must(isJson, `an answer of the type ${type}`);
    return JSON.parse(answer.text) as Record<string, unknown>;
  }

  async #token(fields: Record<string, string>): Promise<Tokens> {
    const body = new URLSearchParams({ client_id: localClientId, ...fields });
    const answer = await this.emulator.request("/api/partner/oauth/token", { method: "POST", body });
    must(answer.status === 200, `the token endpoint says ${answer.status}`);
    return (await answer.json()) as Tokens;
  }

  #keep(tokens: Tokens): void {
    const kept = this.#tokens.refresh_token;
    this.#tokens = { ...tokens };
    // Without a new one, the old one stays good.
    if (
      tokens.refresh_token === undefined &&
      !this.has("keeps what an answer has for a refresh token") &&
      kept !== undefined
    )
      this.#tokens.refresh_token = kept;
    this.#expiresAt = this.emulator.service.world.clock.now() + tokens.expires_in * 1_000;
  }

  async signIn(): Promise<void> {
    const verifier = "v".repeat(43);
    const code = this.emulator.service.server.issueCode({
      clientId: localClientId,
      redirectUri: localRedirectUri,
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
      storeId: someStore,
      personId: "ana",
    });
    const grant = {
      grant_type: "authorization_code",
      redirect_uri: localRedirectUri,
      code_verifier: verifier,
    };
    this.#keep(await this.#token({ ...grant, code }));
    this.#firstRefresh = this.#tokens.refresh_token;
  }

  #isOver(): boolean {
    return this.#expiresAt <= this.emulator.service.world.clock.now();
  }

  async #refresh(): Promise<void> {
    const isStale = this.has("refreshes with the first refresh token for ever");
    const token = isStale ? this.#firstRefresh : this.#tokens.refresh_token;
    const before = this.#tokens.access_token;
    const isOver = this.#isOver();
    const tokens = await this.#token({ grant_type: "refresh_token", refresh_token: token ?? "" });
    if (this.has("splits the scope of a refreshed token"))
      must(tokens.scope?.split(" ").includes("orders") ?? false, "no scope");
    this.#keep(tokens);
    const goesOn = this.has("goes on with the access token from before a refresh") && !isOver;
    if (goesOn) this.#tokens.access_token = before;
  }

  /** @returns what became of a change: done, the order is in the way, or there is none */
  async #change(id: number | string, verb: string): Promise<"done" | "conflict" | "missing"> {
    const answer = await this.#send(`${api}/${id}/${verb}`, { method: "POST" });
    const { status, headers, text } = answer;
    const isDone = this.has("takes 204 alone for a success") ? status === 204 : status >= 200 && status < 300;
    if (isDone) {
      const isRead =
        this.has("parses every success as JSON where its type says so") &&
        headers.get("content-type") !== null;
      if (isRead) JSON.parse(text);
      return "done";
    }
    if (status === 404 && this.has("takes every 404 for an order that isn't there")) return "missing";
    const error =
      this.has("parses the body of every refusal") || text.startsWith("{")
        ? (JSON.parse(text) as { code?: number; details?: string })
        : {};
    const isConflict = this.has("knows a conflict by HTTP 409") ? status === 409 : error.code === 4002;
    if (isConflict) {
      if (this.has("quotes the details of a conflict")) must(typeof error.details === "string", "no details");
      return "conflict";
    }
    must(error.code === 4041, `${verb} says ${status}`);
    return "missing";
  }

  async evening(): Promise<void> {
    const { id } = await this.emulator.order(readyOrder);
    const fee = this.has("sends a fee as a text") ? "7.50" : 7.5;
    const assigned = await this.#send(`${api}/${id}/driver`, {
      method: "PUT",
      body: JSON.stringify({ driver_id: 11, driver_fee: fee }),
    });
    must(assigned.status === 200, `the driver's assignment says ${assigned.status}`);
    this.#look(this.#json(assigned), 7.5);
    const freed = await this.#send(`${api}/${id}/driver`, {
      method: "PUT",
      body: JSON.stringify({ driver_id: 11, driver_fee: null }),
    });
    this.#look(this.#json(freed), undefined);
    for (const verb of ["dispatch", "delivered", "finalize"])
      must((await this.#change(id, verb)) === "done", verb);
    must((await this.emulator.look(id)).status === "closed", "the order isn't closed");
    must((await this.#change(id, "cancel")) === "conflict", "a finished order is no conflict");
    must((await this.#change(9, "cancel")) === "missing", "an order that isn't there");
  }

  #look(order: Record<string, unknown>, fee: number | undefined): void {
    if (this.has("refuses fields that it doesn't know")) {
      const known = new Set(["id", "status", "total", "driver_id", "driver_fee", "created_at", "items"]);
      const documented = Object.keys(order).filter((name) => !known.has(name) && !documentedFields.has(name));
      must(documented.length === 0, `an unknown field ${documented.join(", ")}`);
    }
    const given = order["driver_fee"];
    if (fee === undefined) {
      const isNone = this.has("tells an order without a fee by null")
        ? given === null
        : given === null || given === undefined;
      must(isNone, "the order has a fee");
    } else must(given === fee, "another fee");
    const day = this.has("takes the first ten characters of created_at for the store's day")
      ? String(order["created_at"]).slice(0, 10)
      : new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(
          new Date(String(order["created_at"])),
        );
    must(day === "2026-11-19", `the order is of ${day}`);
    for (const item of order["items"] as {
      options: { quantity: number; unit_price?: number; total_price?: number }[];
    }[])
      for (const option of item.options) {
        const price = this.has("multiplies an option's unit_price")
          ? option.unit_price
          : (option.unit_price ?? option.total_price);
        must(Number.isFinite(option.quantity * (price ?? Number.NaN)), "an option without a price");
      }
  }

  async #figures(path: string, from: string, to: string, more = ""): Promise<Record<string, unknown>> {
    const written = (time: string) =>
      this.has("leaves the plus sign of an offset in the query") ? time : encodeURIComponent(time);
    const answer = await this.#send(
      `${api}/${path}?start_date=${written(from)}&end_date=${written(to)}${more}`,
    );
    must(answer.status === 200, `figures say ${answer.status}`);
    return this.#json(answer);
  }

  async figures(): Promise<void> {
    const paid = { payment_method_ids: [1, 2], status: "closed" as const };
    await this.emulator.order({ ...paid, created_at: "2026-11-15T09:30:00-03:00" });
    await this.emulator.order({ ...paid, created_at: "2026-11-15T09:40:00-03:00" });
    const sunday = ["2026-11-15T03:00:00+00:00", "2026-11-16T02:59:59+00:00"] as const;
    const whole = await this.#figures("summary", ...sunday);
    must(whole["total_order_count"] === 2, "Sunday's orders");
    const groups = async (by: string) =>
      (await this.#figures("summary/grouped", ...sunday, `&group_by=${by}`))["groups"] as {
        key: string | number | null;
        total_order_count: number;
        total_revenue: number;
      }[];
    const hours = await groups("hour");
    const nine = hours.find(({ key }) =>
      this.has("looks an hour up by its number") ? key === 9 : Number.parseInt(String(key), 10) === 9,
    );
    must(nine?.total_order_count === 2, "the orders of nine o'clock");
    const days = (await groups("day_of_week")).filter(({ total_order_count: count }) => count > 0);
    must(days.length === 1, "one day");
    if (this.has("takes day 0 for Sunday")) must(days[0]?.key === 0, "no Sunday");
    const methods = await groups("payment_method_id");
    this.emulator.service.limiter.clear();
    if (this.has("adds up payment methods to the day's revenue")) {
      const sum = methods.reduce((total, { total_revenue: revenue }) => total + revenue, 0);
      must(Math.abs(sum - Number(whole["total_revenue"])) < 0.005, "another revenue");
    }
    const empty = await this.#figures("summary", "2026-10-01T03:00:00+00:00", "2026-10-02T02:59:59+00:00");
    const average = empty["average_order_value"];
    if (this.has("formats the average of no orders")) (average as number).toFixed(2);
  }

  async tokens(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      await this.#refresh();
      must((await this.#change(9, "dispatch")) === "missing", "the refreshed token is no good");
    }
    this.emulator.advance(7_300);
    if (this.#isOver() && !this.has("never looks at when its token expires")) await this.#refresh();
    must((await this.#change(9, "dispatch")) === "missing", "the token has expired");
  }

  async limits(): Promise<void> {
    this.emulator.service.limiter.clear();
    const from = new Date(start - 3_600_000).toISOString();
    for (let call = 0; call < 7; call += 1) {
      const answer = await this.#send(`${api}/summary?start_date=${from}&end_date=${from}`);
      if (answer.status !== 429) continue;
      must(!this.has("goes on when it was refused with 429"), "figures are missing");
      if (this.has("parses the body of every refusal")) JSON.parse(answer.text);
      const given = answer.headers.get("retry-after");
      const seconds = this.has("waits the number that Retry-After is")
        ? Number(given ?? undefined)
        : this.#wait(given);
      must(seconds > 0, `a wait of ${seconds} seconds`);
      this.emulator.advance(seconds);
      const again = await this.#send(`${api}/summary?start_date=${from}&end_date=${from}`);
      must(again.status === 200, "refused after the wait");
    }
  }

  /** Seconds, a date, or nothing: then a whole window. */
  #wait(given: string | null): number {
    if (given === null) return 60;
    if (/^\d+$/.test(given)) return Number(given);
    return Math.max(1, Math.ceil((Date.parse(given) - this.emulator.service.world.clock.now()) / 1_000));
  }
}

/** Of the evening before, when it was the next day in UTC already. */
const readyOrder: NewOrder = {
  status: "ready",
  delivered_by: "merchant",
  created_at: "2026-11-19T22:30:00-03:00",
  items: [
    {
      item_id: 1,
      order_item_id: 1,
      external_code: null,
      name: "Pastel",
      quantity: 1,
      unit_price: 10,
      total_price: 12,
      kind: "regular_item",
      status: "ready",
      observation: null,
      options: [
        {
          option_id: 1,
          external_code: null,
          name: "Queijo",
          quantity: 1,
          unit_price: 2,
          option_group_id: 1,
          option_group_name: "Recheio",
        },
      ],
      items: [],
    },
  ],
};

const documentedFields = new Set(
  (
    "display_id external_display_id external_order_id external_merchant_id external_merchant_name merchant_id order_type " +
    "order_timing sales_channel customer_origin delivered_by table_number estimated_time cancellation_reason " +
    "fiscal_document observation delivery_fee service_fee additional_fee updated_at schedule user customer " +
    "delivery_address discounts payments"
  ).split(" "),
);
