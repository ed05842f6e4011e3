import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { chromiumAvailable, openChromium } from "../support/browser.js";
import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: the sign-in in a browser is skipped.");

describe.skipIf(!chromiumAvailable)("the sign-in in a browser", () => {
  let browser: Browser;
  let bench: Bench;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
    bench = await Bench.open();
    await bench.setEnvironment();
  });
  afterAll(async () => {
    await browser.close();
    await bench.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(async () => {
    bench.machine.stop();
    await page.context().close();
  });

  const startLogin = async () => {
    const running = bench.machine.start("login --no-browser --store centro --env test --json".split(" "));
    await page.goto(await running.lineOn("stderr", /^http:/));
    return running;
  };
  const signInAs = async (name: RegExp) => {
    await page.getByRole("link", { name }).click();
  };
  /** It comes once the outcome is known. */
  const outcomePage = () => page.waitForURL(({ href }) => href.startsWith(bench.emulator.redirectUri));
  const heading = () => page.getByRole("heading", { level: 1 }).textContent();

  test("ends with 4 where the owner refuses, and the page says so", async () => {
    const before = snapshot(bench.machine.configFolder);
    const running = await startLogin();
    await signInAs(/Ana Lúcia/);
    await page.getByRole("button", { name: /refuse/i }).click();
    await outcomePage();
    expect(await heading()).toBe("Access was not given");
    const { code, stdout, stderr } = await running.finished;
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(parseJson(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { exit_code: 4, code: "access_denied" },
    });
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });

  test("ends with 4 for someone who isn't the owner", async () => {
    const running = await startLogin();
    await signInAs(/Marta/);
    await page.getByRole("button", { name: "Refuse" }).click();
    await outcomePage();
    expect(await heading()).toBe("Access was not given");
    expect((await running.finished).code).toBe(4);
  });

  test("ends with 0 where the owner allows, and the page says so once the token is there", async () => {
    const running = await startLogin();
    await signInAs(/Ana Lúcia/);
    await page.getByRole("button", { name: /Allow at .*Açaí/ }).click();
    await outcomePage();
    expect(await heading()).toBe("You are signed in");
    const { code, stdout } = await running.finished;
    expect(code).toBe(0);
    expect(parseJson(stdout)).toMatchObject({ store: "centro", state: "valid", has_refresh_token: true });
    const order = await bench.order({ merchant_id: 502 });
    expect((await bench.comanda(`orders dispatch ${order}`)).code).toBe(0);
  });

  test("tells the truth where the exchange fails after the owner has allowed", async () => {
    bench.emulator.service.faults.set([{ status: 500, path: "/oauth/token" }]);
    const running = await startLogin();
    await signInAs(/Ana Lúcia/);
    await page.getByRole("button", { name: /Allow at .*São João/ }).click();
    await outcomePage();
    expect(await heading()).toBe("The sign-in did not succeed");
    expect((await running.finished).code).toBe(8);
    bench.emulator.service.faults.set([]);
  });
});
