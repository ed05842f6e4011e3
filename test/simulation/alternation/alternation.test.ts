/**
 * Processes that take turns at single file calls, also in the middle of what each does in one go: A's first call, B's
 * first, A's second, B's second. `test/simulation/simulation.test.ts` plays whole commands, and lets another process come
 * in between only until it waits; here the modules of `src/state` are played, in threads that stand still at each call.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { minutes, sized, soak, tellFigure } from "../../support/soak.js";
import { faults } from "./mutations.js";
import type { Plan } from "./plan.js";
import { search } from "./search.js";
import { play, tell } from "./simulate.js";
import { loadThreads, type Threads } from "./threads.js";

/** Seconds of the processor that the search takes at most. */
const searchSeconds = sized({ test: 2, search: 20, soak: 600 });
/** In the suite a few worlds, the same each time; a soak looks at others each day, as many as there is time for. */
const seeds = sized({ test: 1, search: 20, soak: 1e9 });
const batch = sized({ test: 10, search: 25, soak: 100 });
const firstSeed = soak ? Math.floor(Date.now() / 86_400_000) * 1_000_000 : 1;

let program: Threads;
beforeAll(async () => {
  program = await loadThreads();
});
afterAll(() => program.end());

test(
  "no promise is broken, whoever's call comes next",
  { timeout: (searchSeconds / 60) * 20 * minutes },
  () => {
    const { worlds, cpuSeconds, steps, met, found } = search(program, {
      ...{ cpuSeconds: searchSeconds, seed: firstSeed, seeds, batch },
    });
    const of = `${worlds} worlds of single file calls`;
    tellFigure({ what: "promises broken", of, wanted: 0, seen: found ? 1 : 0 });
    tellFigure({ what: "worlds in a second of the processor", of, seen: Math.round(worlds / cpuSeconds) });
    const story =
      found && `${found.subject}, seed ${found.seed}\n${JSON.stringify(found.plan)}\n${found.story}`;
    expect(story).toBeUndefined();
    // Worlds in which nothing happens would prove nothing.
    expect(steps / worlds).toBeGreaterThan(50);
    expect(met.size).toBeGreaterThan(2);
  },
);

const count = { kind: "count", waits: "no" } as const;
const set = { kind: "set" } as const;
const renew = { kind: "renew", store: "centro" } as const;
const rename = { kind: "rename", from: "centro", to: "norte" } as const;

/** A world, which is one machine where nothing else is said. */
type Story = Pick<Plan, "works"> & Partial<Plan>;

const planOf = (story: Story): Plan => ({ turns: [], troubles: [], places: [], minutesApart: 0, ...story });

type Turns = readonly (readonly [process: number, steps: number])[];

const turnsOf = (turns: Turns): Plan["turns"] => turns.map(([process, steps]) => ({ process, steps }));

/** The disk fails once for process 1. */
const failing = (step: number): Story => ({
  works: [[count, count, count], [count]],
  troubles: [{ what: "EIO", process: 0, step, amount: 0 }],
});

interface Found {
  readonly fault: keyof typeof faults;
  readonly plan: Story;
  /** One of the promises that it breaks, in words. */
  readonly told: string;
}

/** Found by the search. */
const found: readonly Found[] = [
  {
    fault: "settings that are changed without a lock",
    plan: {
      works: [[set, { kind: "read settings" }], [set]],
      turns: turnsOf([
        [0, 9],
        [1, 1],
      ]),
    },
    told: "has not seen the setting",
  },
  {
    fault: "first settings behind which there are none",
    plan: {
      works: [[set], [set]],
      turns: turnsOf([[0, 14]]),
      troubles: [
        { what: "kill", process: 0, step: 26, amount: 0 },
        { what: "full", process: 0, step: 14, amount: 1 },
      ],
    },
    told: "settings.json is damaged",
  },
  {
    fault: "lines that go where the end was seen",
    plan: {
      works: [
        [{ kind: "append", entries: 1, way: "one by one" }],
        [{ kind: "append", entries: 1, way: "one by one" }],
      ],
      turns: turnsOf([
        [1, 10],
        [0, 3],
        [1, 2],
        [0, 2],
        [1, 2],
        [0, 3],
      ]),
    },
    told: "has not seen the line",
  },
  {
    fault: "a file of the journal that is removed where it stands",
    plan: {
      works: [[{ kind: "send orders", orders: 1 }], [{ kind: "clear history" }]],
      turns: turnsOf([
        [0, 13],
        [1, 18],
        [0, 20],
      ]),
    },
    told: "has not seen the order 101-1",
  },
  {
    fault: "a line that is not looked for once it is written",
    plan: {
      works: [[{ kind: "send orders", orders: 1 }], [{ kind: "clear history" }]],
      turns: turnsOf([
        [0, 13],
        [1, 30],
      ]),
    },
    told: "has not seen the order 101-1",
  },
  {
    fault: "a list of sessions that looks once",
    plan: {
      works: [[rename], [{ kind: "list sessions" }]],
      turns: turnsOf([
        [1, 9],
        [0, 1],
      ]),
    },
    told: "process 2 has seen 0 sessions of one store.",
  },
  {
    fault: "a session that has two files while it is renamed",
    plan: {
      works: [[rename], [renew]],
      troubles: [{ what: "kill", process: 0, step: 38, amount: 0 }],
    },
    told: "has seen 2 sessions of one store.",
  },
  {
    fault: "a lock that stays when the disk fails once",
    plan: failing(26),
    told: "process 2 could not: count, lock_timeout",
  },
  {
    fault: "a lock that was taken and stays when the disk fails then",
    plan: failing(14),
    told: "process 2 could not: count, lock_timeout",
  },
  {
    fault: "a lock that is not looked at again after a halt",
    plan: {
      works: [[count], [count]],
      turns: turnsOf([[0, 17]]),
      troubles: [{ what: "stop", process: 0, step: 18, amount: 20 }],
      places: ["container"],
    },
    told: "Two processes have counted up to 1.",
  },
  {
    fault: "a lock whose holder is never heard of",
    plan: {
      works: [[{ kind: "count", waits: "for long" }], [count]],
      turns: turnsOf([[0, 14]]),
      places: ["container"],
    },
    told: "A lock was taken from process 1, which went on.",
  },
  {
    fault: "temporary files that are swept by one's own clock",
    plan: {
      works: [[renew], [{ kind: "list sessions" }]],
      turns: turnsOf([[0, 15]]),
      places: ["till", "office"],
      minutesApart: 200,
    },
    told: "process 1 could not: renew, state_unusable",
  },
];

/** In another program: these and the first ones would come in each other's way. */
const foundApart: readonly Found[] = [
  {
    fault: "a lock of another machine that is taken at once",
    plan: {
      works: [[count], [count]],
      turns: turnsOf([
        [0, 15],
        [1, 1],
      ]),
      places: ["container"],
    },
    told: "A lock was taken from process 1, which went on.",
  },
  {
    fault: "settings that are cut short and read as they are",
    plan: {
      works: [[set], [{ kind: "read settings" }]],
      turns: turnsOf([[0, 45]]),
      troubles: [
        { what: "full", process: 0, step: 14, amount: 15 },
        { what: "kill", process: 0, step: 46, amount: 0 },
      ],
    },
    told: "process 2 could not: read settings, state_unusable",
  },
];

/** What no world finds in which whoever comes in between goes on until it waits. */
const alternating: readonly Found[] = [
  {
    fault: "a lock that is looked for, then made",
    plan: {
      works: [[count], [count]],
      turns: turnsOf([
        [0, 12],
        [1, 22],
        [0, 1],
      ]),
    },
    told: "Two processes have counted up to 1.",
  },
  {
    fault: "a dead holder's lock that is inherited without a second look",
    plan: {
      works: [[count], [count], [count]],
      turns: turnsOf([
        [0, 15],
        [1, 12],
        [2, 27],
        [1, 1],
      ]),
      troubles: [{ what: "kill", process: 0, step: 15, amount: 0 }],
    },
    told: "process 3 and process 2 have one lock.",
  },
];

/** In a third: it would hide the one before. */
const foundAlone: readonly Found[] = [
  {
    fault: "settings that are cut short and not looked at again",
    plan: {
      works: [[set], [{ kind: "read settings" }]],
      turns: turnsOf([
        [0, 45],
        [1, 6],
        [0, 1],
      ]),
      troubles: [
        { what: "stop", process: 0, step: 55, amount: 13 },
        { what: "full", process: 0, step: 5, amount: 15, of: "names" },
      ],
      places: ["till"],
    },
    told: "process 2 could not: read settings, state_unusable",
  },
];

describe.each([[found], [foundApart], [foundAlone]])(
  "with a fault put into the program, such a world tells",
  (stories) => {
    let mutant: Threads;
    beforeAll(async () => {
      mutant = await loadThreads(stories.flatMap(({ fault }) => faults[fault].changes));
    });
    afterAll(() => mutant.end());

    test.each(stories)("$fault", ({ plan: story, told }) => {
      const plan = planOf(story);
      const played = play(mutant, plan);
      expect(played.broken.join("\n"), tell(played)).toContain(told);
      expect(play(program, plan).broken).toEqual([]);
    });
  },
);

test.each(alternating)("such worlds alone find $fault", async ({ fault, plan: story, told }) => {
  const plan = planOf(story);
  const mutant = await loadThreads(faults[fault].changes);
  const played = play(mutant, plan);
  expect(played.broken, tell(played)).toContain(told);
  expect(play(mutant, plan, { nested: true }).broken).toEqual([]);
  expect(play(program, plan).broken).toEqual([]);
  await mutant.end();
});

test("who clears the history and is killed, at whichever call, has lost nothing that was written meanwhile", () => {
  const works: Plan["works"] = [[{ kind: "send orders", orders: 1 }], [{ kind: "clear history" }]];
  const kill = (step: number) => ({ what: "kill", process: 1, step, amount: 0 }) as const;
  const looks = 18;
  const turns = turnsOf([
    [0, 13],
    [1, looks],
    [0, 20],
  ]);
  const calls = play(program, planOf({ works, turns })).machine.processes[1]?.steps ?? 0;
  expect(calls).toBeGreaterThan(looks + 2);
  for (let step = 1; step <= calls; step += 1) {
    const played = play(program, planOf({ works, turns, troubles: [kill(step)] }));
    expect(played.broken, tell(played)).toEqual([]);
  }
});

test("the story is one that a person can read", () => {
  const append = { kind: "append", entries: 1, way: "one by one" } as const;
  const turns = turnsOf([
    [0, 9],
    [1, 8],
    [0, 1],
  ]);
  const played = play(program, planOf({ works: [[append], [{ kind: "read lines" }]], turns }));
  expect(tell(played).split("\n").slice(0, 9)).toEqual([
    "1. process 1 starts: append (1, one by one)",
    "2. process 2 starts: read lines",
    "3. process 1: lstat /, lstat /home, lstat /home/ana, lstat /home/ana/comanda (ENOENT), mkdir /home/ana/comanda, lstat /home/ana/comanda, open lines.jsonl, fstat",
    "4. process 2 reads: line",
    "5. process 2: lstat /, lstat /home, lstat /home/ana, lstat /home/ana/comanda, open lines.jsonl, fstat, read",
    "6. process 2 has read: line none",
    "7. process 2 has read: torn lines none",
    "8. process 1: open /home/ana/comanda, fsync, open /home/ana, fsync, write, fdatasync, isNamed lines.jsonl",
    "9. process 1 has written: line 101-1",
  ]);
});
