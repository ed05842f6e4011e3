/** What the environment does to the way to the service, and what the hints of errors name at the command line. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { startStub, type StubService } from "../support/stub-service.js";
import { Desk } from "../support/desk.js";

let desk: Desk;
let stub: StubService;
beforeAll(async () => {
  desk = new Desk();
  stub = await startStub();
  await desk.signIn("centro", stub.url, "at_network");
});
afterAll(async () => {
  await stub.close();
  desk.remove();
});
beforeEach(() => stub.behave({ status: 204 }));

const away = { COMANDA_BASE_URL: "https://api.invalid", COMANDA_ACCESS_TOKEN: "at_network" };

describe("a proxy that can't be used", () => {
  test.each(["orders dispatch 1 2 3 --json", "summary"])(
    "%s: exit 2 with the variable's name, once and before anything else",
    async (line) => {
      const env = { ...away, HTTPS_PROXY: "socks5://ana:s3cret@proxy.corp" };
      const { code, stdout, stderr, error } = await desk.run(line, { env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(error).toMatchObject({ code: "configuration" });
      expect(stderr).toContain("HTTPS_PROXY");
      expect(stderr).not.toMatch(/s3cret|has a fault/);
    },
  );

  test("is named where it can't be reached, and not the service", async () => {
    const env = { ...away, HTTPS_PROXY: "127.0.0.1:1" };
    const { code, stderr } = await desk.run("orders dispatch 1 --quiet", { env });
    expect(code).toBe(8);
    expect(stderr).toContain("api.invalid can't be reached: at the proxy, the connection was refused");
    expect(stderr).toContain("HTTPS_PROXY");
    expect(stderr).not.toContain("base URL");
  });
});
