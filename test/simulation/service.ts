/**
 * The service, written from the specification and not from the emulator: orders that change, tokens that rotate, limits
 * that are counted. It knows nothing of comanda.
 */

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A change of an order that arrived. */
export interface Receipt {
  readonly order: string;
  readonly verb: string;
  /** Which process sent it. */
  readonly sender: string;
  /** The order was changed by it. */
  processed: boolean;
  /** It was refused by the service, and the refusal came to where it was sent from. */
  refusalArrived: boolean;
}

/** Section 5.1: of the store. It never ends. */
export const theApiKey = "key-0";

const json = { "content-type": "application/json" };
/** Section 8. */
const accessTokenSeconds = 7200;
const limits = { summary: { most: 5, ms: 60_000 }, other: { most: 300, ms: 180_000 } };

function bucketOf(pathname: string): keyof typeof limits {
  return pathname.endsWith("/orders/summary") ? "summary" : "other";
}

/** For how long the service counts a request, in milliseconds. */
export function windowOf({ url }: Pick<Request, "url">): number {
  return limits[bucketOf(pathOf(url))].ms;
}

/** What the owner has allowed once: all tokens that came of it end together. */
export class SignIn {
  readonly given = new Set<string>();
  /** The refresh token that works. */
  newest = "";
  holds = true;

  /** @param by the process that asked the owner; none before the story */
  constructor(
    readonly by: string | undefined,
    refreshToken?: string,
  ) {
    if (refreshToken !== undefined) this.gives(refreshToken);
  }

  gives(refreshToken: string): void {
    this.given.add(refreshToken);
    this.newest = refreshToken;
  }
}

export class SimulatedService {
  readonly receipts: Receipt[] = [];
  /** Section 8, counted by the service's own clock. */
  overLimit = 0;
  /** Refresh tokens that came a second time. */
  reused = 0;
  /** Whose refresh the service has answered with new tokens. */
  readonly renewals: string[] = [];
  readonly #first = new SignIn(undefined, "refresh-0");
  readonly #signIns = [this.#first];
  readonly #codes = new Set<string>();
  #generation = 0;
  readonly #accessTokens = new Map<string, { readonly until: number; readonly of: SignIn }>();
  readonly #orders = new Map<string, string>();
  readonly #seen: Record<keyof typeof limits, number[]> = { summary: [], other: [] };

  /** @param now a clock that is never set */
  constructor(readonly now: () => number) {}

  /** What a sign-in before the story has given. */
  signedIn(secondsLeft: number): void {
    this.#accessTokens.set("access-0", { until: this.now() + secondsLeft * 1000, of: this.#first });
  }

  /** Does the sign-in from before the story still work? */
  get firstHolds(): boolean {
    return this.#first.holds;
  }

  /** The sign-in that gave this refresh token. */
  signInOf(refreshToken: string): SignIn | undefined {
    return this.#signIns.find(({ given }) => given.has(refreshToken));
  }

  /** A request has arrived; nothing is done yet. @returns `undefined` for one that changes no order */
  receive(request: Request, sender: string): Receipt | undefined {
    const change = changeOf(request);
    if (!change) return undefined;
    const [order, verb] = change;
    const receipt = { order, verb, sender, processed: false, refusalArrived: false };
    this.receipts.push(receipt);
    return receipt;
  }

  answer(request: Request, sender: string, receipt: Receipt | undefined): Answer {
    const pathname = pathOf(request.url);
    if (pathname === "/api/partner/oauth/token") return this.#token(request, sender);
    if (pathname === "/api/partner/oauth/revoke") return this.#revoke(request);
    return this.#authorized(request) ? this.#counted(pathname, receipt) : refusal(401, 4010, "Invalid token");
  }

  /** Section 5: either, for the status of an order; the key alone for a pre-filled one. */
  #authorized({ headers, url }: Request): boolean {
    const hasKey = headers["x-api-key"] === theApiKey;
    if (pathOf(url).endsWith("/prefilled_order")) return hasKey;
    if (hasKey && /\/(dispatch|delivered|finalize|cancel)$/.test(pathOf(url))) return true;
    const [, token = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    const known = this.#accessTokens.get(token);
    return known !== undefined && known.of.holds && known.until > this.now();
  }

  #counted(pathname: string, receipt: Receipt | undefined): Answer {
    const bucket = bucketOf(pathname);
    const { most, ms } = limits[bucket];
    const seen = (this.#seen[bucket] = this.#seen[bucket].filter((at) => at > this.now() - ms));
    if (seen.length >= most) {
      this.overLimit += 1;
      return refusal(429, undefined, "Too many requests");
    }
    seen.push(this.now());
    if (receipt?.verb === "driver") return assigned(receipt);
    if (receipt?.verb === "prefilled_order") return prefilled(receipt);
    if (receipt) return this.#change(receipt);
    const summary = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };
    return { status: 200, headers: json, body: JSON.stringify(summary) };
  }

  /** Section 3: a finished order admits no change. */
  #change(receipt: Receipt): Answer {
    const before = this.#orders.get(receipt.order) ?? "confirmed";
    const after = { dispatch: "released", delivered: "delivered", finalize: "closed", cancel: "canceled" }[
      receipt.verb
    ];
    if (after === undefined || before === "closed" || before === "canceled" || before === after)
      return refusal(400, 4002, "The status cannot be changed");
    this.#orders.set(receipt.order, after);
    receipt.processed = true;
    return { status: 204, headers: {}, body: "" };
  }

  /** Section 5.2, with rotation: a token that comes twice ends the sign-in (RFC 9700, 4.14.2). */
  #token({ body = "" }: Request, sender: string): Answer {
    const form = new URLSearchParams(body);
    const signIn =
      form.get("grant_type") === "authorization_code"
        ? this.#signInBy(form.get("code") ?? "", sender)
        : this.#renewed(form.get("refresh_token") ?? "", sender);
    if (!signIn) return { status: 400, headers: json, body: JSON.stringify({ error: "invalid_grant" }) };
    this.#generation += 1;
    const refreshToken = `refresh-${this.#generation}`;
    signIn.gives(refreshToken);
    const accessToken = `access-${this.#generation}`;
    this.#accessTokens.set(accessToken, { until: this.now() + accessTokenSeconds * 1000, of: signIn });
    const tokens = {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: accessTokenSeconds,
      refresh_token: refreshToken,
      scope: "orders drivers",
    };
    return { status: 200, headers: json, body: JSON.stringify(tokens) };
  }

  /** Section 5.2, step 4: a code works once. */
  #signInBy(code: string, sender: string): SignIn | undefined {
    if (this.#codes.has(code)) return undefined;
    this.#codes.add(code);
    const signIn = new SignIn(sender);
    this.#signIns.push(signIn);
    return signIn;
  }

  #renewed(refreshToken: string, sender: string): SignIn | undefined {
    const signIn = this.signInOf(refreshToken);
    if (signIn && refreshToken !== signIn.newest) {
      this.reused += 1;
      signIn.holds = false;
    }
    if (!signIn?.holds) return undefined;
    this.renewals.push(sender);
    return signIn;
  }

  /** Section 4.11: either token ends its sign-in (RFC 7009). */
  #revoke({ body = "" }: Request): Answer {
    const token = new URLSearchParams(body).get("token") ?? "";
    const signIn = this.signInOf(token) ?? this.#accessTokens.get(token)?.of;
    if (signIn) signIn.holds = false;
    return { status: 200, headers: {}, body: "" };
  }
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** The order that a request is to change, or the name of who orders, and what is to be done. */
function changeOf({ url, body = "" }: Request): readonly [order: string, verb: string] | undefined {
  const pathname = pathOf(url);
  if (!pathname.endsWith("/prefilled_order")) {
    const [, order, verb] =
      /\/orders\/([^/]+)\/(dispatch|delivered|finalize|cancel|driver)$/.exec(pathname) ?? [];
    return order === undefined || verb === undefined ? undefined : [order, verb];
  }
  const { customer } = JSON.parse(body) as { readonly customer: { readonly name: string } };
  return [customer.name, "prefilled_order"];
}

/** Section 4.9: each request makes another. */
function prefilled(receipt: Receipt): Answer {
  receipt.processed = true;
  const order = {
    id: receipt.order,
    order_url: "https://menu.example/o",
    checkout_url: "https://menu.example/c",
  };
  return { status: 201, headers: json, body: JSON.stringify(order) };
}

/** Section 4.1: to assign the same driver again changes nothing. */
function assigned(receipt: Receipt): Answer {
  receipt.processed = true;
  const order = { id: Number(receipt.order), status: "confirmed", order_type: "delivery", driver_id: 7 };
  return { status: 200, headers: json, body: JSON.stringify(order) };
}

export function refusal(status: number, code: number | undefined, message: string): Answer {
  return { status, headers: json, body: JSON.stringify({ ...(code !== undefined && { code }), message }) };
}
