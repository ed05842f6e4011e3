// @ts-check
/**
 * `npm run binary` makes dist/binary/comanda: one file that is Node and comanda, for machines without Node. It is Node's
 * own way, a single executable application (https://nodejs.org/api/single-executable-applications.html), of the very Node
 * that runs this, with the program's files and their compiled code inside. Nothing is downloaded.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");
const program = path.join(root, "dist", "cli");
const folder = path.join(root, "dist", "binary");
const executable = path.join(folder, process.platform === "win32" ? "comanda.exe" : "comanda");
/** Node's own tool, by its maintainers. */
const postject = path.join(root, "node_modules", "postject", "dist", "cli.js");
/** Files beside it would have SQLite for Node 20, and it is one file. */
if (!isBuiltin("node:sqlite")) {
  console.error(
    `An executable of Node ${process.version} could keep no state: SQLite is in Node from 22.13 on. Put such a Node first in PATH.`,
  );
  process.exit(2);
}
/** As Node looks for it in itself. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

const work = mkdtempSync(path.join(folder, "work-"));
try {
  const config = path.join(work, "config.json");
  const output = canBuildByItself() ? executable : path.join(work, "blob");
  writeFileSync(
    config,
    JSON.stringify({
      main: path.join(folder, "main.cjs"),
      output,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { ...programFiles(), ...compiledCode() },
    }),
  );
  rmSync(executable, { force: true });
  if (canBuildByItself()) execFileSync(process.execPath, ["--build-sea", config], { stdio: "inherit" });
  else inject(config, output);
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(path.relative(root, executable));

/** From 25.5 on Node puts the program into a copy of itself. */
function canBuildByItself() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 25 || (major === 25 && minor >= 5);
}

/**
 * @param {string} config
 * @param {string} blob which the config says
 */
function inject(config, blob) {
  execFileSync(process.execPath, ["--experimental-sea-config", config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  // A signature is of the whole file: it is taken off before, and a new one made for this machine.
  const isMac = process.platform === "darwin";
  if (isMac) execFileSync("codesign", ["--remove-signature", executable]);
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  const words = [executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment];
  // What it says is shown where it fails.
  execFileSync(process.execPath, [postject, ...words], { stdio: ["ignore", "ignore", "pipe"] });
  if (isMac) execFileSync("codesign", ["--sign", "-", executable]);
}

/**
 * By its name, where each file is that the program reads. What is kept compressed for the package is laid out for reading.
 *
 * @returns {Record<string, string>}
 */
function programFiles() {
  /** @type {Record<string, string>} */
  const files = {};
  for (const name of readdirSync(program)) {
    const file = path.join(program, name);
    if (/\.(js|json|json\.gz)$/.test(name)) files[name] ??= file;
    if (name.endsWith(".js.br"))
      files[name.slice(0, -3)] = write(name, brotliDecompressSync(readFileSync(file)));
  }
  return files;
}

/**
 * The build's cache has the source that the code was compiled of and the code twice, to find damage. An executable is
 * one piece: it has the code alone.
 *
 * @returns {Record<string, string>}
 */
function compiledCode() {
  const its = `${process.version}-${process.platform}-${process.arch}`;
  const cache = path.join(program, "code-cache", its);
  return Object.fromEntries(
    readdirSync(cache).map((name) => {
      const whole = readFileSync(path.join(cache, name));
      return [name, write(name, whole.subarray(4, 4 + whole.readUInt32LE()))];
    }),
  );
}

/**
 * @param {string} name
 * @param {Uint8Array} content
 * @returns where it is until the executable is made
 */
function write(name, content) {
  const file = path.join(work, name.replace(/\.br$/, ""));
  writeFileSync(file, content);
  return file;
}
