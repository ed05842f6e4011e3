/**
 * A store's sign-in, its settings and its figures change together: the command is killed at every one of its steps, and a
 * person looks at what is there.
 */
import { beforeAll, expect, test } from "vitest";

import { sized } from "../support/soak.js";
import { createBeginning, type Beginning } from "./beginning.js";
import type { Plan, Trouble } from "./plan.js";
import type { Process } from "./process.js";
import { loadProgram } from "./realm.js";
import { home, World } from "./world.js";

/** The suite kills at every third step, CI at each. */
const stride = sized({ test: 3, search: 1, soak: 1 });

const quiet: Plan = {
  ...{ secondsLeft: 7200, tasks: [], troubles: [], faults: [], trap: undefined },
  ...{ places: [], order: [] },
};

const centro = { time_zone: "America/Sao_Paulo", currency: "BRL" };

interface Look {
  readonly stores: string;
  /** Which stores there are figures of, and for which requests are counted. */
  readonly figures: string;
  readonly settings: string;
}

interface Seen {
  readonly process: Process | undefined;
  readonly look: Look;
  readonly story: readonly string[];
}

/** The world in which a store has settings and figures, its name is the default one, and such a line is typed. */
function seenAfter(
  beginning: Beginning,
  argv: readonly string[] | undefined,
  { isProtected, troubles = [] }: { readonly isProtected: boolean; readonly troubles?: readonly Trouble[] },
): Seen {
  const disk = beginning.diskFor(quiet);
  const stores = { centro: { ...centro, ...(isProtected && { protected: true }) } };
  const settings = { version: 1, default_store: "centro", stores, environments: {} };
  disk.put(`${home}/settings.json`, { text: JSON.stringify(settings) });
  const world = new World(disk, beginning.realms, { ...quiet, troubles });
  world.aside((guest, hooks) => {
    guest.keepFigures(hooks);
  });
  const start = (words: readonly string[], index?: number) =>
    world.start({ kind: "rename" }, [], { argv: words, stdin: "" }, index);
  const process = argv && start(argv, 0);
  world.run();
  world.calm();
  const list = start(["stores", "list", "--json"]);
  world.run();
  const config = start(["config", "get", "default-store"]);
  world.run();
  const figures = world.aside((guest, hooks) => {
    guest.tellFigures(hooks);
  });
  const look = {
    stores: list.stdout + list.stderr,
    figures,
    settings: config.stdout + config.stderr,
  };
  world.giveBack();
  return { process, look, story: world.story };
}

let program: Beginning;
beforeAll(async () => {
  program = createBeginning(await loadProgram());
});

const lines = [
  {
    argv: ["stores", "rename", "centro", "norte"],
    isProtected: true,
    stores: ["norte"],
    figures: ["norte", "norte"],
  },
  {
    argv: ["stores", "remove", "centro", "--confirm", "centro"],
    isProtected: true,
    stores: [],
    figures: ["centro"],
  },
  {
    argv: ["logout", "--confirm", "centro"],
    isProtected: true,
    stores: ["centro"],
    figures: ["centro", "centro"],
  },
  {
    argv: ["stores", "protect", "centro"],
    isProtected: false,
    stores: ["centro"],
    figures: ["centro", "centro"],
  },
] as const;

test.each(lines)("killed at any step, $argv leaves the old state or the new one", (line) => {
  const { argv, isProtected } = line;
  const before = seenAfter(program, undefined, { isProtected }).look;
  const whole = seenAfter(program, argv, { isProtected });
  expect([whole.process?.exitCode, whole.process?.stderr]).toEqual([0, ""]);
  const listed = JSON.parse(whole.look.stores) as readonly Record<string, unknown>[];
  expect(listed.map(({ store }) => store)).toEqual(line.stores);
  for (const store of listed) expect(store).toMatchObject({ protected: true, time_zone: centro.time_zone });
  expect(JSON.parse(whole.look.figures)).toEqual(line.figures);
  const [steps, seen] = [whole.process?.steps ?? 0, new Set<string>()];
  expect(steps).toBeGreaterThan(20);
  for (let step = 1; step <= steps; step += stride) {
    const troubles = [{ what: "kill", process: 0, step, amount: 0 }] as const;
    const { look, story } = seenAfter(program, argv, { isProtected, troubles });
    seen.add(JSON.stringify(look));
    expect([before, whole.look], story.join("\n")).toContainEqual(look);
  }
  expect(seen.size, "it was never killed between the old state and the new one").toBe(2);
});
