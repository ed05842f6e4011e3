/** `login` as a process: an answer of another user, and lifetimes of the token. */
import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { authorizeAsOwner } from "../support/emulators.js";
import { Bench, parseJson } from "../support/bench.js";

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

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "login as root rejects the answer of another user, who may close the connection at once",
  async () => {
    const bench = await Bench.open();
    await bench.setEnvironment();
    const running = bench.machine.start("login --no-browser --store centro --env test --json");
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
    const { stdout } = await bench.inProcess("status --store centro --check --json");
    expect(parseJson(stdout)).toMatchObject({ store: "centro", state: "valid" });
  },
);
