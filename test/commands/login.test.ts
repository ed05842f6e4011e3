/** `comanda login`: whole sign-ins with a script as the owner, and keys. */
import { beforeEach, describe, expect, test } from "vitest";

import { Bench, containing, matching, parseJson } from "../support/bench.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { Machine } from "../support/program.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open({ orders: 1 });
  await bench.setEnvironment();
});

const scopes = ["store", "orders", "drivers", "catalog", "customers", "coupons", "reviews"];
const centro = ["--store", "centro", "--env", "test"];
const status = async () => parseJson((await bench.inProcess("status --json")).stdout);
const stored = () => snapshot(bench.machine.configFolder);

describe("a sign-in", () => {
  test("prints the URL on its own line, waits at the redirect address, and saves the sign-in", async () => {
    const result = await bench.login(centro);
    const stdout = `Signed in to centro (test); permissions: ${scopes.join(", ")}.\n`;
    expect(result).toMatchObject({ code: 0, page: 200, stdout });
    expect(result.stderr).toMatch(
      /comanda summary --store centro --period last-7-days\n.*comanda logout --store centro\n$/,
    );
    const addresses = result.stderr.split("\n").filter((line) => line.startsWith("http"));
    expect(addresses).toHaveLength(1);
    const { searchParams } = new URL(addresses[0] ?? "");
    expect(searchParams.size).toBe(5);
    expect(searchParams.get("redirect_uri")).toBe(bench.emulator.redirectUri);
    expect(stored()["sessions/s-centro.json"]).toMatch(/^600 /);
    const before = readSession(bench.machine.configFolder);
    // A known store is signed in to its own environment.
    const again = await bench.login(["--store", "centro", "--json"]);
    const expires_at = matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(parseJson(again.stdout)).toMatchObject({ store: "centro", state: "valid", expires_at, scopes });
    const after = readSession(bench.machine.configFolder);
    expect(after.tokens.access_token).not.toBe(before.tokens.access_token);
    expect(after["environment"]).toEqual(before["environment"]);
  });

  test("saves the time zone of --tz, and none by default; a wrong one opens no browser", async () => {
    await bench.login(centro);
    expect(await status()).toMatchObject({ time_zone: null });
    const told = await bench.login([...centro, "--tz", "america/sao_paulo"]);
    expect(told.stderr).toContain("Sales of centro are counted by day in the time zone America/Sao_Paulo.\n");
    expect(await status()).toMatchObject({ time_zone: "America/Sao_Paulo" });
    expect((await bench.login(centro)).stderr).not.toContain("zone");
    const wrong = await bench.login([...centro, "--tz", "Campinas"]);
    expect(wrong).toMatchObject({ code: 2, page: undefined });
    expect(wrong.stderr).toContain("Time zones in Brazil: America/Araguaina, ");
  });

  test("names the likeliest cause if the portal never redirects, and doesn't suggest more time", async () => {
    const ran = await bench.inProcess(["login", ...centro, "--no-browser", "--timeout", "50ms"]);
    const words = /If the portal showed an error page, .* redirect URI of test .*: comanda env list$/m;
    expect(ran).toMatchObject({ code: 3, stderr: matching(words) });
    expect(ran.stderr).toContain("No answer from the browser within 0.05 s. Nothing was saved.\n");
    expect(ran.stderr).not.toContain("--timeout");
  });

  test("fails at once without a terminal, with a hint, and saves nothing", async () => {
    const before = stored();
    const { code, stdout, stderr } = await bench.inProcess(["login", ...centro]);
    expect({ code, stdout, stored: stored() }).toEqual({ code: 2, stdout: "", stored: before });
    expect(stderr).toMatch(/Without a terminal.*--no-browser, --api-key or --partner-key\.[^]*login --help/);
  });

  test.each([
    ["login --api-key --env test", "comanda login --store centro --env test\n"],
    ["login", "--store is missing.\n  For example: comanda login --store centro --env production\n"],
    ["login --store centro", "--env is missing.\n  Use local or test.\n"],
  ])("fails without a prompt, and says what is missing: %s", async (line, message) => {
    expect(await bench.inProcess(line)).toMatchObject({ code: 2, stderr: containing(message) });
  });

  test("names the service's environments and how to set one up if none is", async () => {
    const { code, stderr } = await new Machine().inProcess(["login", "--store", "centro"]);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "--env is missing. The service's environments, sandbox and production, aren't set up on this machine. Set one up with the service's addresses: comanda env set production --base-url <url>",
    );
  });
});

describe("a key", () => {
  const keep = (input: string, kind = "--api-key") =>
    bench.inProcess(["login", kind, ...centro, "--json"], { input });

  test("is read from stdin and used, but a sign-in takes precedence", async () => {
    const { code, stdout, stderr } = await keep(`${bench.keyOf()}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "centro is now the default store.\n" });
    const checked = [{ credential: "api_key", call: "deliver", result: "accepted" }];
    expect(parseJson(stdout)).toMatchObject({ has_api_key: true, has_refresh_token: false, checked });
    const order = await bench.order();
    expect((await bench.inProcess(`orders dispatch ${order}`)).code).toBe(0);
    expect(bench.stored(order).status).toBe("released");

    await bench.login(centro);
    expect(await status()).toMatchObject({ has_api_key: true, has_refresh_token: true, state: "valid" });
    const shown = (await bench.inProcess("orders dispatch 1 --dry-run")).stdout;
    expect(shown).toContain("authorization: Bearer ****");
    expect(shown).not.toContain("x-api-key");
  });

  test.each([
    ["nothing on stdin", "", "stdin contains no API key."],
    ["a key of two lines", "abc\ndef\n", "The API key must be one line"],
    ["a key with characters that a header can't contain", "clé secrète\n", "visible ASCII characters"],
    ["too long", "k".repeat(4_097), "at most 4,096 visible ASCII characters"],
  ])("is rejected if it is %s, and nothing is saved", async (_, input, message) => {
    const before = stored();
    const { code, stdout, stderr } = await keep(input);
    expect({ code, stdout, stored: stored() }).toEqual({ code: 2, stdout: "", stored: before });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("secrète");
  });

  test("is never read from the command line, nor from a terminal with --no-input", async () => {
    const typed = await bench.inProcess(["login", "--api-key", "my-key", ...centro]);
    expect(typed).toMatchObject({ code: 2, stderr: containing("< key.txt") });
    expect(typed.stderr).not.toContain("my-key");
    const unasked = await bench.inProcess(["login", "--api-key", ...centro, "--no-input"], { answers: [] });
    expect(unasked).toMatchObject({ code: 2, stderr: containing("Pipe the input in") });
    expect(filesIn(bench.machine.configFolder).filter((name) => name.startsWith("sessions"))).toEqual([]);
  });

  test("of a partner is saved in addition to the API key, which it requires", async () => {
    const { stdout } = await keep("PARTNER-SECRET\n", "--partner-key");
    const kept = { state: "signed_out", has_api_key: false, has_partner_key: true };
    expect(parseJson(stdout)).toMatchObject(kept);
    const alone = await bench.inProcess(["api", "POST", "/orders", "--auth", "partner", "-f", "a=b"]);
    const hint = matching(/\n {2}Save the API key: .* --api-key --store centro\n$/);
    expect(alone).toMatchObject({ code: 3, stderr: hint });
    expect(bench.requests()).toEqual([]);
    await keep(bench.keyOf());
    expect(await status()).toMatchObject({ has_api_key: true, has_partner_key: true });
    expect(bench.machine.written).not.toMatch(/-SECRET/);
  });
});
