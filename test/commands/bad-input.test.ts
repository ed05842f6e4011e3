/** Nothing that a person types and nothing that lies on the disk makes a stack trace, or changes a thing. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { sessionFile } from "../support/stored-session.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
  await bench.inProcess("orders dispatch 7");
});
afterAll(() => bench.close());
beforeEach(() => bench.forgetRequests());

const errorShape = (code: unknown, exit: number) => ({
  error: {
    exit_code: exit,
    code,
    service_code: null,
    http_status: null,
    details: null,
    message: expect.stringMatching(/^\S.*[^.]\.$/s) as string,
    hint: expect.stringMatching(/\S/) as string,
    evidence: null,
  },
});

describe("a command line that can't be understood", () => {
  test.each<[string, string[], RegExp]>([
    ["a slip in a command", ["ordes", "dispatch", "1"], /Did you mean orders\?/],
    ["a slip in a subcommand", ["orders", "dispach", "1"], /Did you mean dispatch\?/],
    ["help with a slip in a command", ["help", "oders"], /Did you mean orders\?/],
    [
      "a slip in an option",
      ["orders", "dispatch", "1", "--stor", "x"],
      /option '--stor'\.\n {2}Did you mean --store\?/,
    ],
    ["a value for an option that takes none", ["status", "--json=yes"], /option '--json'\./],
    ["a command that is none", ["frobnicate"], /--help/],
    ["an option that is none", ["status", "--frobnicate"], /--help/],
    ["no subcommand", ["orders"], /subcommand/],
    [
      "an option without its value",
      ["orders", "cancel", "1", "--reason"],
      /'--reason <text>' argument missing/,
    ],
    ["too many arguments", ["status", "now"], /Too many arguments for 'status'/],
    ["too few arguments", ["driver", "assign", "1"], /The argument <driver> is missing\./],
    ["an option that is needed", ["env", "set", "x"], /'--base-url <url>' not specified/],
    ["an option that the command doesn't take", ["env", "list", "--store", "x"], /doesn't take --store/],
    ["--dry-run where nothing would be sent", ["status", "--dry-run"], /doesn't take --dry-run/],
    ["a format that is none", ["stores", "list", "--format", "xml"], /table, json, csv, markdown/],
    ["a duration that is none", ["orders", "dispatch", "1", "--timeout", "soon"], /--timeout 30s/],
    ["a timeout of nothing", ["orders", "dispatch", "1", "--timeout", "0"], /--timeout/],
    ["a wait that is none", ["orders", "dispatch", "1", "--max-wait", "-1s"], /--max-wait/],
    ["a topic that is none", ["help", "nothing"], /exit-codes/],
    [
      "all stores and one",
      ["summary", "--all-stores", "--store", "centro"],
      /--all-stores and --store contradict/,
    ],
    ["logout of all and of one", ["logout", "--all", "--store", "centro"], /contradict/],
    ["an alias that can't be one", ["login", "--store", "a/b", "--env", "test"], /alias/],
    ["another environment for a store", ["login", "--store", "centro", "--env", "local"], /belongs to/],
    ["an environment's name that can't be one", [..."env set a/b".split(" "), ...someUrls()], /name/],
    ["a port that is none", ["emulator", "start", "--port", "99999"], /65535/],
    ["a fault that is none", ["emulator", "start", "--port", "0", "--fault", "magic"], /--fault/],
  ])("%s: exit 2 with a next step, and nothing is changed or sent", async (_, args, message) => {
    const before = snapshot(bench.machine.configFolder);
    const { code, stdout, stderr } = await bench.inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: .+[^.][.?]\n(?: {2}.+\n)+$/m);
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
    expect(bench.requests()).toEqual([]);
  });

  test.each<[string, string[], string]>([
    ["a slip", ["orders", "dispach", "1", "--json"], "usage"],
    ["two formats", ["stores", "list", "--json", "--format", "csv"], "usage"],
    ["bad input", ["orders", "dispatch", "1,2", "--json"], "invalid_input"],
    ["an unknown store", ["status", "--store", "x", "--json"], "invalid_input"],
    ["a setting that is missing", ["login", "--store", "x", "--env", "sandbox", "--json"], "configuration"],
    ["the same by --format", ["orders", "dispatch", "1,2", "--format", "json"], "invalid_input"],
  ])("%s is one JSON line on stderr", async (_, args, errorCode) => {
    const { code, stdout, stderr } = await bench.inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(parseJson(stderr)).toEqual(errorShape(errorCode, 2));
  });

  test("shows no control character of what was typed", async () => {
    const { code, stderr } = await bench.inProcess(["orders", "\u001b[2Jx", "--store", "\u202ex"]);
    expect(code).toBe(2);
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

function someUrls() {
  return ["--base-url", "https://a.example", "--auth-url", "https://b.example", "--client-id", "c"];
}

describe("files that can't be used", () => {
  const folder = () => bench.machine.configFolder;
  const session = () => sessionFile(folder());
  const settings = () => path.join(folder(), "settings.json");
  const kept = () => `${folder()}.kept`;
  beforeEach(() => {
    rmSync(kept(), { recursive: true, force: true });
    copy(folder(), kept());
  });
  afterEach(() => {
    rmSync(folder(), { recursive: true, force: true });
    renameSync(kept(), folder());
  });

  const content = () => readFileSync(session(), "utf8");
  test.each<[string, () => void, RegExp]>([
    [
      "a session file that is cut short",
      () => writeFileSync(session(), content().slice(0, 90)),
      /s-centro\.json/,
    ],
    [
      "a session file of a newer version",
      () => writeFileSync(session(), content().replace('"version": 1', '"version": 2')),
      /newer/,
    ],
    ["a session file that a group can read", () => chmodSync(session(), 0o640), /chmod 600/],
    [
      "a folder in a session file's place",
      () => {
        rmSync(session());
        mkdirSync(session());
      },
      /s-centro\.json/,
    ],
    [
      "another store's session file",
      () => writeFileSync(session(), content().replace('"store": "centro"', '"store": "outra"')),
      /is damaged/,
    ],
    ["settings that are no JSON", () => writeFileSync(settings(), "{oops"), /settings\.json/],
    ["settings that all can change", () => chmodSync(settings(), 0o666), /chmod 600/],
    [
      "a file in the folder's place",
      () => {
        rmSync(folder(), { recursive: true });
        writeFileSync(folder(), "in the way");
      },
      /not a folder|COMANDA_CONFIG_DIR/,
    ],
    [
      "a folder that leads in a circle",
      () => {
        rmSync(folder(), { recursive: true });
        symlinkSync(folder(), folder());
      },
      /COMANDA_CONFIG_DIR/,
    ],
  ])("%s: exit 2, an error that names it, and it stays as it is", async (_, spoil, message) => {
    spoil();
    const before = snapshotOrNothing(folder());
    for (const line of ["orders dispatch 7 --json", "status --json", "stores use centro --json"]) {
      const { code, stdout, stderr } = await bench.inProcess(line);
      expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: "" });
      expect(parseJson(stderr)).toEqual(errorShape("state_unusable", 2));
      expect(stderr).toMatch(message);
    }
    expect(snapshotOrNothing(folder())).toEqual(before);
    expect(bench.requests()).toEqual([]);
  });

  /** The administrator can read everything, so the folder is somebody else's then, and so is the program. */
  const somebody = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
  test.skipIf(somebody === undefined)("an unreadable folder: exit 2, an error that names it", async () => {
    const { folder: home } = bench.machine;
    const other = path.join(home, "unreadable");
    mkdirSync(other);
    if (process.getuid?.() === 0) for (const name of [home, other]) chownSync(name, somebody ?? 0, 0);
    chmodSync(other, 0);
    const env = { COMANDA_CONFIG_DIR: other };
    try {
      for (const line of ["status", "stores list", "login --api-key --store x --env local"]) {
        const options = { env, input: "key_abc", ...(somebody !== undefined && { uid: somebody }) };
        const { code, stdout, stderr } = await bench.comanda(line, options);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toMatch(
          /^error: comanda can't read .*unreadable.*: this user is not allowed to\.\n {2}.*COMANDA_CONFIG_DIR/,
        );
      }
    } finally {
      chmodSync(other, 0o700);
      if (process.getuid?.() === 0) chownSync(home, 0, 0);
    }
  });

  test("a damaged database: no order is changed, and requests are counted for this run", async () => {
    for (const name of Object.keys(snapshot(folder())).filter((each) => each.startsWith("comanda.db")))
      rmSync(path.join(folder(), name));
    const database = path.join(folder(), "comanda.db");
    writeFileSync(database, "{oops", { mode: 0o600 });
    const written = await bench.inProcess("orders dispatch 7");
    expect(written.code).toBe(2);
    expect(written.stderr).toContain(
      `warning: ${database} is damaged. Rate limits are counted for this run alone.`,
    );
    expect(written.stderr).toContain(`error: Order 7 of the store centro: ${database} is damaged`);
    expect(readFileSync(database, "utf8")).toBe("{oops");
  });
});

function copy(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const [name, entry] of Object.entries(snapshot(from))) {
    const target = path.join(to, name);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, readFileSync(path.join(from, name)), { mode: Number.parseInt(entry, 8) });
  }
}

function snapshotOrNothing(folder: string): unknown {
  try {
    // Leases lie in the database, and one is taken before the files are looked at.
    return Object.fromEntries(
      Object.entries(snapshot(folder)).filter(([name]) => !name.startsWith("comanda.db")),
    );
  } catch {
    return "no folder";
  }
}
