/** The portal of one emulator: a cookie tells who is signed in there. */
import { randomBytes } from "node:crypto";

import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import type { Person, Store } from "../../domain/model.js";
import type { World } from "../../domain/world.js";
import type { AuthorizationServer } from "../oauth/authorization-server.js";
import { portalPath } from "../paths.js";

/** A visitor looks at a page. */
export interface Visitor {
  /** It is absent before someone signs in. */
  readonly person: Person | undefined;
  /** Every form carries this token, so that no other page can send one (cross-site request forgery). */
  readonly formToken: string;
}

const cookieName = "comanda_emulator_portal";
/** A session lasts a working day, in milliseconds. */
const lifetimeMs = 12 * 3_600_000;
/** Scripts that keep no cookies open a session with each page, so the oldest ones give way. */
const maximumSessions = 1_000;

export class Portal {
  readonly #sessions = new Map<string, { readonly visitor: Visitor; readonly expiresAt: number }>();

  constructor(
    readonly server: AuthorizationServer,
    private readonly world: Pick<World, "people" | "stores" | "clock">,
  ) {}

  get people(): readonly Person[] {
    return this.world.people;
  }

  /** Gives the visitor of a request; a new, anonymous one where there is none. */
  visitor(c: Context): Visitor {
    return this.#current(c) ?? this.#start(c);
  }

  /** A sign-in always gets a new cookie, so that one planted before is worth nothing. */
  signIn(c: Context, person: Person): void {
    this.#end(c);
    this.#start(c, person);
  }

  signOut(c: Context): void {
    this.#end(c);
    deleteCookie(c, cookieName, { path: portalPath });
  }

  /** Was the form made by one of our pages in this very session? */
  isGenuine(c: Context, form: URLSearchParams): boolean {
    return this.#current(c)?.formToken === form.get("form_token");
  }

  /** Lists the stores that someone works at. */
  storesOf({ storeIds }: Person): readonly Store[] {
    return [...this.world.stores.values()].filter(({ id }) => storeIds.includes(id));
  }

  /** Lists the stores that someone owns: none for any profile but the owner's. */
  ownedBy(person: Person): readonly Store[] {
    return person.profile === "owner" ? this.storesOf(person) : [];
  }

  #current(c: Context): Visitor | undefined {
    const session = this.#sessions.get(getCookie(c, cookieName) ?? "");
    return session && session.expiresAt > this.world.clock.now() ? session.visitor : undefined;
  }

  #start(c: Context, person?: Person): Visitor {
    const id = random();
    const visitor = { formToken: random(), person };
    this.#sessions.set(id, { visitor, expiresAt: this.world.clock.now() + lifetimeMs });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maximumSessions && oldest !== undefined) this.#sessions.delete(oldest);
    setCookie(c, cookieName, id, { path: portalPath, httpOnly: true, sameSite: "Lax" });
    return visitor;
  }

  #end(c: Context): void {
    this.#sessions.delete(getCookie(c, cookieName) ?? "");
  }
}

function random(): string {
  return randomBytes(24).toString("base64url");
}
