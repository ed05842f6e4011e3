/**
 * The program in simulated worlds: disks that fill up and fail, processes that are killed or stand still at any call,
 * a network and a service that fail before and after. Whatever happens, the promises of `simulate.ts` hold.
 */
import { beforeAll, describe, expect, test } from "vitest";

import { minutes, sized, soak, tellFigure, timeLimit } from "../support/soak.js";
import { mutations } from "./mutations.js";
import type { Plan, Trouble } from "./plan.js";
import { loadProgram, type Mutation } from "./realm.js";
import { search } from "./search.js";
import { play, tell, type Played } from "./simulate.js";
import { createBeginning, type Beginning } from "./beginning.js";

/** Seconds of the processor that the search takes at most. */
const searchSeconds = sized({ test: 10, soak: 600 });
/**
 * In the suite a few worlds, the same each time, 25 of a seed; a soak looks at others each day, as many as there is time for:
 * CI for 30 s.
 */
const seeds = soak ? Infinity : 3;
const firstSeed = soak ? Math.floor(Date.now() / 86_400_000) * 1_000_000 : 1;

/** At every one of so many steps of a change of settings something goes wrong. */
const stride = sized({ test: 4, search: 1, soak: 1 });

/** A process is killed, or the power fails, or the disk is full: in the suite at every fourth step, in CI's search at each. */
const commandStride = sized({ test: 4, search: 1, soak: 1 });

const sharedStride = sized({ test: 12, search: 1, soak: 1 });

let program: Beginning;
beforeAll(async () => {
  program = createBeginning(await loadProgram());
});

const mutant = async (...names: readonly (keyof typeof mutations)[]) =>
  createBeginning(await loadProgram(names.flatMap((name): readonly Mutation[] => mutations[name])));

const quiet: Plan = {
  ...{ secondsLeft: 7200, tasks: [], troubles: [], faults: [], trap: undefined },
  ...{ places: [], order: [] },
};
const oneOrder = { kind: "one", verb: "dispatch" } as const;
const figures = { kind: "figures" } as const;
const envSet = { kind: "settings", change: "env set" } as const;

/** The world in which a trouble comes where a process does this, for the first time or for a later one. */
function troubledWhere(plan: Plan, trouble: Omit<Trouble, "step">, doing: string, times = 1): Plan {
  // Until it comes, the world is as it is without it.
  const doings = play(program, plan).world.processes[trouble.process]?.doings ?? [];
  const steps = [...doings.keys()].filter((index) => doings[index]?.includes(doing));
  const index = steps[times - 1];
  if (index === undefined) throw new Error(`no process ${trouble.process} does "${doing}"`);
  return { ...plan, troubles: [...plan.troubles, { ...trouble, step: index + 1 }] };
}

/** The first has a place within the limit and stands still in the moment of sending, while others go on. */
const stoppedWhileItSends = (amount: number): Plan =>
  troubledWhere(
    {
      ...quiet,
      tasks: Array.from({ length: 7 }, () => figures),
      faults: [{ what: "answer cut", request: 0, times: 3, at: 0 }],
      order: [1],
    },
    { what: "stop", process: 0, amount },
    "sends GET",
  );

test("no promise is broken in any world", { timeout: timeLimit(4 * minutes) }, async () => {
  const { worlds, cpuSeconds, met, found } = await search(program, {
    cpuSeconds: searchSeconds,
    seed: firstSeed,
    seeds,
  });
  const of = `${worlds} simulated worlds`;
  tellFigure({ what: "promises broken", of, wanted: 0, seen: found ? 1 : 0 });
  tellFigure({ what: "worlds in a second of the processor", of, seen: Math.round(worlds / cpuSeconds) });
  expect(found && `seed ${found.seed}\n${JSON.stringify(found.plan)}\n${found.story}`).toBeUndefined();
  // Worlds in which nothing goes wrong would prove nothing.
  expect(met.size).toBeGreaterThan(10);
});

/** One command that renews the sign-in, in as many worlds as it has steps: in each world the trouble comes at another. */
function* troubledAtSteps(
  beginning: Beginning,
  what: Trouble["what"],
  { first = 1, stride = 1 } = {},
): Generator<Played> {
  const worldWith = (troubles: readonly Trouble[]) =>
    play(beginning, { ...quiet, secondsLeft: -10, tasks: [oneOrder], troubles });
  const steps = worldWith([]).world.processes[0]?.steps ?? 0;
  expect(steps).toBeGreaterThan(80);
  for (let step = first; step <= steps; step += stride)
    yield worldWith([{ what, process: 0, step, amount: 0 }]);
}

test.each(["kill", "power", "full", "EIO"] as const)("%s at each step of a change of settings", (what) => {
  const tasks = [
    { kind: "settings", change: "env set" },
    { kind: "settings", change: "stores protect" },
  ] as const;
  const worldWith = (troubles: readonly Trouble[]) => play(program, { ...quiet, tasks, troubles });
  const alone = worldWith([]);
  expect(alone.world.processes.slice(0, 2).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const steps = alone.world.processes[0]?.steps ?? 0;
  expect(steps).toBeGreaterThan(50);
  for (let step = 1; step <= steps; step += stride) {
    // Of a disk with so little left, some of the file gets in.
    const played = worldWith([{ what, process: 0, step, amount: 40 }]);
    expect(played.broken, tell(played)).toEqual([]);
  }
});

describe("found by the search, and mended:", () => {
  test("an answer that came while the process stood still counts, though its time is over", () => {
    const plan: Plan = {
      ...quiet,
      secondsLeft: -10,
      tasks: [{ kind: "prefill" }, { kind: "many", verb: "dispatch", orders: 2, from: "arguments" }, figures],
      troubles: [{ what: "pause", process: 2, step: 1, amount: 34 }],
    };
    const played = play(program, plan);
    expect(played.broken, tell(played)).toEqual([]);
  });

  test("a request that stands still for longer than its window is the one that nobody can count", () => {
    const late = play(program, stoppedWhileItSends(90));
    expect([late.world.service.overLimit, late.world.outlasted]).toEqual([1, 1]);
    expect(late.broken, tell(late)).toEqual([]);
    const inTime = play(program, stoppedWhileItSends(75));
    expect([inTime.world.service.overLimit, inTime.world.outlasted]).toEqual([0, 0]);
  });

  test("an exchange that takes longer than its window is one that nobody can count", () => {
    const plan = troubledWhere(
      { ...quiet, tasks: Array.from({ length: 6 }, () => figures), order: [1] },
      { what: "pause", process: 1, amount: 60 },
      "sends GET",
    );
    const played = play(program, plan);
    expect(played.world.outlasted).toBe(1);
    expect(played.broken, tell(played)).toEqual([]);
  });

  test("a process that stands still from its place to its request has an exchange that was long", () => {
    const paused = troubledWhere(
      { ...quiet, secondsLeft: -10, tasks: Array.from({ length: 6 }, () => figures), order: [1] },
      { what: "pause", process: 1, amount: 50 },
      "open sessions/.s-centro.json",
    );
    const stopped = { what: "stop", process: 1, amount: 31 } as const;
    const played = play(program, troubledWhere(paused, stopped, "select offset_ms", 2));
    expect(played.broken, tell(played)).toEqual([]);
  });

  /** The old settings are back in their place when the power fails; the disk has not heard of that yet. */
  test("settings cut short on a full disk, and the power fails: those before them hold", () => {
    const plan: Plan = {
      ...quiet,
      tasks: [envSet, envSet, envSet],
      troubles: [
        { what: "full", process: 1, step: 11, amount: 0 },
        { what: "power", process: 2, step: 9, amount: 0 },
      ],
    };
    const played = play(program, plan);
    expect(played.broken, tell(played)).toEqual([]);
  });

  test("a disk that fails as the door to a list's lock is opened", () => {
    const tasks = [{ kind: "many", verb: "dispatch", orders: 2, from: "stdin" }] as const;
    const plan: Plan = { ...quiet, tasks, troubles: [{ what: "EIO", process: 0, step: 23, amount: 0 }] };
    const played = play(program, plan);
    expect(played.broken, tell(played)).toEqual([]);
  });

  test("settings on a full disk that fails as they are taken back", () => {
    const plan: Plan = {
      ...quiet,
      tasks: [{ kind: "settings", change: "stores protect" }],
      troubles: [
        { what: "full", process: 0, step: 1, amount: 1 },
        { what: "EIO", process: 0, step: 48, amount: 0 },
      ],
    };
    const played = play(program, plan);
    expect(played.broken, tell(played)).toEqual([]);
  });

  test("SIGTERM while the sign-in is renewed", () => {
    const plan: Plan = {
      ...quiet,
      secondsLeft: 30,
      tasks: [figures, { kind: "many", verb: "dispatch", orders: 2, from: "arguments" }],
      troubles: [
        { what: "terminate", process: 0, step: 1, amount: 0 },
        { what: "pause", process: 0, step: 1, amount: 2 },
      ],
      order: [3],
    };
    const played = play(program, plan);
    expect(played.broken, tell(played)).toEqual([]);
  });
});

/** What is put into the program, what then happens, and what is told of it. */
interface Story extends Partial<Plan> {
  readonly fault: keyof typeof mutations;
  readonly told: string;
}

const stories: readonly Story[] = [
  {
    fault: "a refresh of what was read before the lock",
    ...{ secondsLeft: -10, tasks: [{ kind: "login" }, oneOrder] },
    troubles: [{ what: "stop", process: 1, step: 31, amount: 8 }],
    told: "process 1 told of a new sign-in, and the old one is stored.",
  },
  {
    fault: "a sign-out that waits for nobody",
    ...{ secondsLeft: -10, tasks: [{ kind: "logout" }, oneOrder] },
    troubles: [{ what: "pause", process: 1, step: 4, amount: 8 }],
    told: "process 1 told that it is signed out, and centro is stored.",
  },
  {
    fault: "a session that has two files while it is renamed",
    ...{ secondsLeft: -10, tasks: [{ kind: "rename" }, oneOrder] },
    troubles: [{ what: "kill", process: 0, step: 111, amount: 0 }],
    told: "Two stores have one sign-in",
  },
];

describe("with a fault in how processes share the state, such a world tells", () => {
  let shared: Beginning;
  beforeAll(async () => {
    shared = await mutant(...stories.map(({ fault }) => fault));
  });

  test.each(stories)("$fault", ({ told, ...story }) => {
    const plan: Plan = { ...quiet, ...story };
    const played = play(shared, plan);
    expect(played.broken.join("\n"), tell(played)).toContain(told);
    expect(play(program, plan).broken).toEqual([]);
  });
});

/** Beside a refresh, on the machine and in a container, each of these is cut off or stands still, at every one of so many steps. */
test.each(["login", "rename", "logout"] as const)("%s while another process renews the session", (kind) => {
  const plan: Plan = { ...quiet, secondsLeft: -10, tasks: [{ kind }, oneOrder] };
  const [first] = play(program, plan).world.processes;
  expect([first?.exitCode, first?.stderr]).toEqual([0, expect.not.stringContaining("fault")]);
  for (let step = 1; step <= (first?.steps ?? 0); step += sharedStride)
    for (const what of ["kill", "stop"] as const) {
      const troubles = [{ what, process: 0, step, amount: 50 }] as const;
      const played = play(program, { ...plan, troubles, places: what === "kill" ? [] : ["container"] });
      expect(played.broken, tell(played)).toEqual([]);
    }
});

test.each([
  ["kill", 1],
  ["power", 2],
  ["full", 2],
  ["EIO", 1],
] as const)("%s at each step of a command", (what, first) => {
  const steps = commandStride === 1 ? {} : { first, stride: commandStride };
  for (const played of troubledAtSteps(program, what, steps)) expect(played.broken, tell(played)).toEqual([]);
});

/** What a person reads who is told of a broken promise: what happened, in turn, and which promise it was. */
const storyOfTwice = `\
1. process 1 starts: comanda orders finalize - --json, with 100 101 on stdin
2. The service answers POST /api/partner/v1/orders/100/finalize of process 1: HTTP 204, and the connection breaks, and the answer is lost
3. The service answers POST /api/partner/v1/orders/101/finalize of process 1: HTTP 204
4. process 1 ends with 10 and has told: 100 unknown, 101 done
5. From here on nothing goes wrong any more.
6. process 2 starts: comanda orders finalize - --json --resume, with 100 101 on stdin
7. The service answers POST /api/partner/v1/orders/100/finalize of process 2: HTTP 400
8. process 2 ends with 10 and has told: 101 done, 100 unknown
9. process 3 starts: comanda orders finalize 999 --json --auth bearer
10. The service answers POST /api/partner/v1/orders/999/finalize of process 3: HTTP 204
11. process 3 ends with 0 and has told: 999 done
=> Order 100 was sent 2 times.`;

describe("with a fault put into the program, the simulation tells", () => {
  let faulty: Beginning;
  beforeAll(async () => {
    faulty = await mutant(
      "deletion through a link",
      "session lost on a full disk",
      "unknown orders sent again",
    );
  });

  test("deletion through a link", () => {
    const plan = { ...quiet, tasks: [oneOrder], trap: "sessions" } as const;
    const told = "/home/ana/photos/.holiday.jpg.0badcafe.77.0123456789abcdef.tmp was changed";
    expect(play(faulty, plan).broken.join()).toContain(told);
    expect(play(program, plan).broken).toEqual([]);
  });

  test("a session lost on a full disk", () => {
    const worlds = troubledAtSteps(faulty, "full");
    let told = "";
    for (const { broken } of worlds) if ((told = broken.join()) !== "") break;
    expect(told).toContain("The session is lost");
  });

  test("exit code 8 for an unknown outcome", async () => {
    const unclear = await mutant("exit code 8 for an unknown outcome");
    for (const task of [{ kind: "assign" }, oneOrder] as const) {
      const plan: Plan = {
        ...quiet,
        tasks: [task],
        faults: [{ what: "reset after", request: 0, times: 5, at: 0 }],
      };
      const told = "process 1 ended with 8, and order 100 is done.";
      expect(play(unclear, plan).broken).toContain(told);
      expect(play(program, plan).broken).toEqual([]);
    }
  });

  test("orders that are sent twice, by a story that a person can read", () => {
    const tasks = [{ kind: "many", verb: "finalize", orders: 2, from: "stdin" }] as const;
    const plan: Plan = { ...quiet, tasks, faults: [{ what: "reset after", request: 0, times: 1, at: 0 }] };
    const played = play(faulty, plan);
    expect(played.broken).toContain("Order 100 was sent 2 times.");
    expect(play(program, plan).broken).toEqual([]);
    expect(tell(played)).toBe(storyOfTwice);
  });

  test("requests beyond the limits", async () => {
    const unlimited = await mutant("limits not kept");
    const plan: Plan = { ...quiet, tasks: Array.from({ length: 7 }, () => figures) };
    expect(play(unlimited, plan).broken.join()).toContain("requests too many");
    expect(play(unlimited, stoppedWhileItSends(90)).broken.join()).toContain("requests too many");
    expect(play(program, plan).broken).toEqual([]);
  });
});
