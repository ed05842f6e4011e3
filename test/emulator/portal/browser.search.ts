import { Hono } from "hono";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { axeFindings, chromiumAvailable, openChromium } from "../../support/browser.js";
import { app } from "../oauth/fixture.js";
import { authorizationParameters, authorizePath, createPortalApp, listen } from "./fixture.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: the portal's browser tests are skipped.");

// The browser's own code is text here: the project's types know of no document.
const focusedText = `(document.activeElement.closest("label") ?? document.activeElement).textContent`;
/** What doesn't fit its box: the page itself, or anything in it. */
const cutOff = `[document.documentElement, ...document.querySelectorAll("body *")]
  .filter((element) => getComputedStyle(element).display !== "inline")
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.cloneNode().outerHTML ?? element.tagName)`;

/** An app whose callback leads on to another origin, as a web app's often does. */
async function startWorld() {
  const arrivals: URL[] = [];
  const done = new Hono();
  done.get("/done", (c) => c.html(`<link rel="icon" href="data:,"><title>Back at the app</title>`));
  const front = await listen(done);
  const arrival = new Hono();
  arrival.get("/callback", (c) => {
    arrivals.push(new URL(c.req.url));
    return c.redirect(`${front.origin}/done`);
  });
  const callback = await listen(arrival);
  const redirectUri = `${callback.origin}/callback`;
  const { root, server } = createPortalApp({ apps: [{ ...app, redirectUris: [redirectUri] }] });
  const portal = await listen(root);
  const close = async () => {
    await Promise.all([front.close(), callback.close(), portal.close()]);
  };
  return { arrivals, redirectUri, server, origin: portal.origin, close };
}

describe.skipIf(!chromiumAvailable)("the portal in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let world: Awaited<ReturnType<typeof startWorld>>;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await openChromium();
    // One for all: a new one costs more than what most tests look at.
    context = await browser.newContext();
    page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    await context.clearCookies();
    world = await startWorld();
  });
  afterEach(async () => {
    await page.goto("about:blank");
    await world.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const open = () =>
    page.goto(`${world.origin}${authorizePath({ redirect_uri: world.redirectUri })}`, { waitUntil: "load" });
  /** Presses a key until the element is focused, as a person without a mouse does. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      const text = await page.evaluate<string>(focusedText);
      if (name.test(text)) return;
    }
    throw new Error(`No key press reaches ${name}`);
  };
  const answer = () => Object.fromEntries(world.arrivals[0]?.searchParams ?? []);
  const signInAs = async (name: RegExp) => {
    await page.getByRole("radio", { name }).check();
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  test("signs in and allows by keyboard alone, and gets back to an app that leads on", async () => {
    await open();
    await tabTo(/Ana Souza/);
    await page.keyboard.press("Space");
    await tabTo(/^Sign in$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/portal\/authorize/);
    await tabTo(/Cantina/);
    // The second store, by arrow as radio buttons are chosen.
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await tabTo(/^Allow$/);
    const outline = await page.evaluate<string>("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/done$/);
    expect(await page.title()).toBe("Back at the app");

    const { code = "", state } = answer();
    expect(state).toBe(authorizationParameters.state);
    const { redirectUri } = world;
    world.server.exchangeCode({ clientId: app.clientId, redirectUri, code, codeVerifier: "v".repeat(43) });
    expect(world.server.installations()).toMatchObject([{ storeId: 2, active: true }]);
  });

  test("doesn't allow before a store is chosen, and refuses without one", async () => {
    await open();
    await signInAs(/Ana Souza/);
    await page.getByRole("button", { name: "Allow" }).click();
    expect(page.url()).toContain("/portal/authorize");
    expect(world.arrivals).toEqual([]);
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.waitForURL(/\/done$/);
    expect(answer()).toMatchObject({ error: "access_denied", state: authorizationParameters.state });
  });

  test("explains to a manager, who can sign in as someone else or go back", async () => {
    await open();
    await signInAs(/Bruno Lima/);
    await page.getByRole("heading", { name: "Only the owner can authorise an app" }).waitFor();
    await page.getByRole("button", { name: "Sign in as someone else" }).click();
    await signInAs(/Cida Alves/);
    await page.getByRole("button", { name: "Back to the app" }).click();
    await page.waitForURL(/\/done$/);
    expect(answer()).toMatchObject({ error: "access_denied" });
  });

  test("fits a phone and a desktop, in light and dark, without obstacles, on every page", async () => {
    const look = async (name: string) => {
      // What is looked for depends on the colours or on the width, not on both together.
      for (const [width, colorScheme] of [
        [360, "light"],
        [1280, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const cut = await page.evaluate<string[]>(cutOff);
        expect({ name, width, cut }).toEqual({ name, width, cut: [] });
        expect({ name, width, found: await axeFindings(page) }).toEqual({ name, width, found: [] });
        const { COMANDA_SCREENSHOTS: folder } = process.env;
        if (folder !== undefined) {
          await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
        }
      }
    };
    await open();
    await look("login");
    await signInAs(/Ana Souza/);
    await page.getByRole("radio", { name: /Bella/ }).check();
    await look("consent");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(/\/done$/);
    const { redirectUri } = world;
    const code = answer()["code"] ?? "";
    world.server.exchangeCode({ clientId: app.clientId, redirectUri, code, codeVerifier: "v".repeat(43) });

    await page.goto(`${world.origin}/portal/integrations`);
    await page.getByRole("button", { name: "Show the API key of Cantina" }).click();
    await page.getByText("key-of-store-1").waitFor();
    await look("integrations");
    await page.getByRole("button", { name: "Uninstall Comanda" }).click();
    await page.getByText("No app is installed.").nth(1).waitFor();
    expect(world.server.installations()).toMatchObject([{ active: false }]);
    await page.goto(`${world.origin}/portal`);
    await look("home");
    await page.getByRole("button", { name: "Sign out" }).click();
    await open();
    await signInAs(/Bruno/);
    await look("not-the-owner");
  });
});
