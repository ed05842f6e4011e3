/** `login` as a process: an answer of another user, and lifetimes of the token. */
import { execFileSync } from "node:child_process";

import { beforeEach, describe, expect, test } from "vitest";

import { authorizeAsOwner } from "../support/emulators.js";
import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.setEnvironment();
});

const centro = ["--store", "centro", "--env", "test"];

/** A script that sends an answer to the redirect address, and closes the connection at once if asked to. */
const deliver = `
const [url, closes] = process.argv.slice(1);
const { host, hostname, port, pathname, search } = new URL(url);
const socket = require("node:net").connect(port, hostname, () => {
  socket.write("GET " + pathname + search + " HTTP/1.1\\r\\nhost: " + host + "\\r\\n\\r\\n");
  if (closes) socket.destroy();
});
socket.on("data", (data) => { console.log(String(data).split("\\r\\n")[0]); socket.destroy(); });
socket.on("error", () => undefined);
`;

describe.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)("login as root", () => {
  test("rejects the answer of another user, who may close the connection at once", async () => {
    const running = bench.machine.start(["login", "--no-browser", ...centro, "--json"]);
    const url = await running.lineOn("stderr", /^http:/);
    const { redirectedTo } = await authorizeAsOwner(url, { store: 502, arrives: false });
    const asAnother = (...words: readonly string[]) =>
      execFileSync(process.execPath, ["-e", deliver, redirectedTo, ...words], {
        ...{ uid: 65_534, gid: 65_534, cwd: "/", encoding: "utf8" },
      });
    expect(asAnother()).toContain("403");
    asAnother("closes");
    await running.lineOn("stderr", /another user of this machine/);
    await authorizeAsOwner(url, { store: 501 });
    const { code, stderr } = await running.finished;
    expect(code).toBe(0);
    expect(stderr.match(/another user of this machine/g)).toHaveLength(2);
    const { stdout } = await bench.machine.run(["status", "--store", "centro", "--check", "--json"]);
    expect(parseJson(stdout)).toMatchObject({ store: "centro", state: "valid" });
  });
});

describe("an extreme lifetime of the access token", () => {
  const setLifetime = (accessTokenSeconds: number) =>
    (bench.emulator.service.server.accessSeconds = accessTokenSeconds);
  const inAYear = () => Date.now() + 366 * 86_400_000;

  test.each([2 ** 63, 1e13, 1e308])("counts as a year: %d seconds", async (seconds) => {
    setLifetime(seconds);
    await bench.signIn("centro");
    for (const line of ["status --json", "stores list --json", "summary --period yesterday --json"])
      expect(await bench.inProcess(line)).toMatchObject({ code: 0 });
    const { stdout } = await bench.inProcess("status --json");
    const { expires_at: end } = parseJson(stdout) as { readonly expires_at: string };
    expect(Date.parse(end)).toBeLessThan(inAYear());
  });

  test("is accepted in a renewal", async () => {
    setLifetime(0.001);
    await bench.signIn("centro");
    setLifetime(1e308);
    const order = await bench.order();
    expect(await bench.inProcess(`orders dispatch ${order} --json`)).toMatchObject({ code: 0 });
    expect(await bench.inProcess("status --check --json")).toMatchObject({ code: 0 });
    expect(bench.emulator.service.server.counters).toMatchObject({ refreshes: 1 });
  });
});
