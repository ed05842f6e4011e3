// @ts-check
/**
 * What is taken out of packages that comanda needs a part of, each with what it costs where it stays: processor time of a
 * whole `orders dispatch` (68 ms; `node -e 0` takes 19), measured on Node 20.20 in November 2026, and bytes of the package.
 * A file that isn't there any more, or has changed, ends the build: a new version of a package is looked at, not trusted.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** @type {readonly { file: string, digest: string, instead: string }[]} */
const files = [
  // HTTP/2 is always off here. 4 ms, for Node's own HTTP/2 above all.
  {
    file: "undici/lib/dispatcher/client-h2.js",
    digest: "e992a732c30c5826",
    instead: "module.exports = () => { throw new Error('HTTP/2 is off'); };",
  },
  // A second copy of the parser, which undici does without where a processor can't run it. The one runs everywhere. 72 KB.
  {
    file: "undici/lib/llhttp/llhttp_simd-wasm.js",
    digest: "52c1622748270083",
    instead: "throw new Error('there is one parser');",
  },
  // Tables of all that a parser may be told and may tell, of which a client of HTTP/1 uses five numbers. With what follows 15 KB.
  {
    file: "undici/lib/llhttp/constants.js",
    digest: "90c4858736745781",
    instead: "exports.TYPE = { RESPONSE: 2 }; exports.ERROR = { OK: 0, PAUSED: 21, PAUSED_UPGRADE: 22 };",
  },
  // What NODE_DEBUG=undici writes, with the query and path of each request. The channels stay, for who observes a program.
  {
    file: "undici/lib/core/diagnostics.js",
    digest: "907ce2d66cede91b",
    instead: `const { channel } = require("node:diagnostics_channel");
      const of = (kind, names) => Object.fromEntries(names.map((name) => [name, channel("undici:" + kind + ":" + name)]));
      exports.channels = {
        ...of("client", ["beforeConnect", "connected", "connectError", "sendHeaders"]),
        ...of("request", ["create", "bodySent", "bodyChunkSent", "bodyChunkReceived", "headers", "trailers", "error"]),
        proxyConnected: channel("undici:proxy:connected"),
      };`,
  },
  // A proxy of SOCKS is refused before: client/http/proxy.ts. 11 KB.
  {
    file: "undici/lib/dispatcher/socks5-proxy-agent.js",
    digest: "9a7a9cb6cbbaccc8",
    instead: "module.exports = class {};",
  },
  // Bodies that are forms, which no call has. With the two of Node's own modules below 1 ms, 45 KB.
  {
    file: "undici/lib/web/fetch/body.js",
    digest: "8b0a6776fc514ae2",
    instead: "exports.extractBody = () => { throw new TypeError('a form is no body here'); };",
  },
  // conf holds settings against schemas and moves them between versions; comanda gives it neither. 186 KB.
  { file: "ajv/dist/2020.js", digest: "908e9670b478b2ba", instead: "module.exports = {};" },
  { file: "ajv-formats/dist/index.js", digest: "3f30141502938460", instead: "module.exports = {};" },
  { file: "semver/index.js", digest: "4b3e57d3d40e29e0", instead: "module.exports = {};" },
  // conf asks for the home folder as soon as it is loaded, and many a container's user has none. It is told its folder.
  {
    file: "env-paths/index.js",
    digest: "52d9fa02d2c9c01a",
    instead: "export default () => { throw new Error('conf needs a folder'); };",
  },
  // conf sends each signal to this process a second time: one Ctrl-C would count for two. The settings clear up themselves.
  {
    file: "when-exit/dist/node/index.js",
    digest: "ef19505e2ec31c27",
    instead: "export default () => undefined;",
  },
];

/**
 * What of Node's own modules a package loads and never needs here.
 *
 * @type {readonly { by: string, name: string, instead: string }[]}
 */
const builtins = [
  // For one constant: Node's own default for the size of a head.
  {
    by: "undici",
    name: "node:http",
    instead: "exports.IncomingMessage = class {}; exports.maxHeaderSize = 16 * 1024;",
  },
  {
    by: "undici",
    name: "node:assert",
    instead: `module.exports = (holds, message = "an assertion of undici's failed") => {
      if (!holds) throw message instanceof Error ? message : new Error(message);
    };`,
  },
  // For subcommands that are programs of their own, and with it the network stack. 2 ms of every command.
  { by: "commander", name: "node:child_process", instead: "" },
];

/** @param {string} file */
const digestOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);

/** @param {{ by: string, name: string }} builtin */
const builtinId = ({ by, name }) => `${name} of ${by}`;

/**
 * Of the build that has all of the program.
 *
 * @type {import("esbuild").Plugin}
 */
export const leaveOut = {
  name: "leave-out",
  setup({ onResolve, onLoad, onEnd }) {
    const missing = new Set([...files.map(({ file }) => file), ...builtins.map(builtinId)]);
    onResolve({ filter: /^node:/ }, ({ importer, path }) => {
      const builtin = builtins.find(
        ({ by, name }) => name === path && importer.includes(`/node_modules/${by}/`),
      );
      return builtin && { path: builtinId(builtin), namespace: "left-out" };
    });
    onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => {
      missing.delete(path);
      return { contents: builtins.find((builtin) => builtinId(builtin) === path)?.instead ?? "" };
    });
    for (const { file, digest, instead } of files) {
      onLoad({ filter: new RegExp(`/node_modules/${file.replaceAll(".", "\\.")}$`) }, ({ path }) => {
        if (digestOf(path) !== digest)
          return { errors: [{ text: `${file} has changed: look at it anew (${digestOf(path)})` }] };
        missing.delete(file);
        return { contents: instead };
      });
    }
    onEnd(() => ({ errors: [...missing].map((file) => ({ text: `nothing loads ${file} any more` })) }));
  },
};
