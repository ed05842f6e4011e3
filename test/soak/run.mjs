// @ts-check
/** `npm run soak`: the tests that have a size, at their whole size, one file after the other. Takes about an hour. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";

const root = path.resolve(import.meta.dirname, "../..");
const folders = process.argv.length > 2 ? process.argv.slice(2) : ["state", "client", "auth", "soak"];
const failed = [];

for (const folder of folders) {
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--config", ".config/vitest.config.ts", "--no-file-parallelism", `test/${folder}/`],
    {
      cwd: root,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, COMANDA_SOAK: "1" },
      stdio: "inherit",
    },
  );
  if (status !== 0) failed.push(folder);
}
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
