/** Preloaded by `node --require`. When the process exits, writes what it has loaded to the file LOADED. */
import { statSync, writeFileSync } from "node:fs";

const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };

process.on("exit", () => {
  // The first use of stdout loads Node's streams, so that every process counts them.
  process.stdout.write("");
  const files = Object.keys(require.cache).filter((file) => file.endsWith(".js"));
  const modules = moduleLoadList.filter((name) => name.startsWith("NativeModule "));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  writeFileSync(process.env["LOADED"] ?? "", JSON.stringify({ bytes, files: files.length, modules }));
});
