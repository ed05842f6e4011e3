import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { chromiumAvailable, openChromium } from "../support/browser.js";
import { snapshot } from "../support/folder-state.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: the sign-in in a browser is skipped.");

describe.skipIf(!chromiumAvailable)("the sign-in in a browser", async () => {
  const bench = await Bench.open();
  await bench.setEnvironment();
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(async () => {
    bench.machine.stop();
    await page.context().close();
  });

  const startLogin = async () => {
    const running = bench.machine.start("login --no-browser --store centro --env test --json");
    await page.goto(await running.lineOn("stderr", /^http:/));
    return running;
  };
  const signInAs = async (name: RegExp) => {
    await page.getByRole("link", { name }).click();
  };
  /** Waits for the page that shows the outcome. */
  const outcomePage = () => page.waitForURL(({ href }) => href.startsWith(bench.emulator.redirectUri));
  const heading = () => page.getByRole("heading", { level: 1 }).textContent();

  test("exits with code 4 if another person signs in and refuses, and the page says so", async () => {
    const before = snapshot(bench.machine.configFolder);
    const running = await startLogin();
    await signInAs(/Marta/);
    await page.getByRole("button", { name: "Refuse" }).click();
    await outcomePage();
    expect(await heading()).toBe("The sign-in failed");
    const { code, stdout, stderr } = await running.finished;
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain('"code":"access_denied"');
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });

  test("succeeds if the owner allows access, and the page says so", async () => {
    const running = await startLogin();
    await signInAs(/Ana Lúcia/);
    await page.getByRole("button", { name: /Allow at .*Açaí/ }).click();
    await outcomePage();
    expect(await heading()).toBe("You are signed in");
    const { code, stdout } = await running.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('"state":"valid"');
  });
});
