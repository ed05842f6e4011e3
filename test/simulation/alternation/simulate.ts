/** Plays a plan to its end, looks at what is left as the next process would, and says which promise was broken. */
import { SimulatedDisk } from "../disk.js";
import { home, Machine, type MachineOptions, type Process } from "./machine.js";
import type { Told } from "./messages.js";
import type { Plan, Work } from "./plan.js";
import type { Threads } from "./threads.js";

export interface Played {
  readonly machine: Machine;
  /** In words; none where all is well. */
  readonly broken: readonly string[];
}

/** Where stories begin: somebody has signed in, and has photos. */
function emptyDisk(): SimulatedDisk {
  const disk = new SimulatedDisk(home);
  for (const folder of ["/home", "/home/ana", "/home/ana/photos"]) disk.put(folder);
  return disk;
}

let signedIn: SimulatedDisk | undefined;

function diskFor(threads: Threads, { works }: Plan): SimulatedDisk {
  if (!works.flat().some(({ kind }) => lookAgain[kind]?.kind === "list sessions")) return emptyDisk();
  if (!signedIn) {
    const disk = emptyDisk();
    const machine = new Machine(disk, threads, {
      works: [],
      turns: [],
      troubles: [],
      places: [],
      minutesApart: 0,
    });
    machine.start([{ kind: "sign in" }]);
    machine.run();
    machine.end();
    signedIn = disk;
  }
  return signedIn.copy();
}

/** What the next process does, when all is over. */
const lookAgain: Partial<Record<Work["kind"], Work>> = {
  count: { kind: "count", waits: "no" },
  append: { kind: "read lines" },
  "read lines": { kind: "read lines" },
  "send orders": { kind: "read journal" },
  "read journal": { kind: "read journal" },
  "clear history": { kind: "read journal" },
  renew: { kind: "list sessions" },
  rename: { kind: "list sessions" },
  "list sessions": { kind: "list sessions" },
  set: { kind: "read settings" },
  "read settings": { kind: "read settings" },
};

export function play(threads: Threads, plan: Plan, options?: MachineOptions): Played {
  const machine = new Machine(diskFor(threads, plan), threads, plan, options);
  for (const [index, works] of plan.works.entries()) machine.start(works, index);
  machine.run();
  machine.calm();
  const looks = new Set(plan.works.flat().flatMap(({ kind }) => lookAgain[kind] ?? []));
  const last = machine.start([...looks]);
  machine.run();
  const broken = [...machine.faults, ...brokenByMachine(machine)];
  // What is changed by one that can't know that its lock is gone is held by no promise.
  if (machine.blind === 0)
    broken.push(...brokenByLocks(machine), ...brokenByReads(machine, last), ...brokenByService(machine));
  machine.end();
  return { machine, broken };
}

function* brokenByLocks({ sayings, met, robbed }: Machine): Generator<string> {
  for (const name of robbed) yield `A lock was taken from ${name}, which went on.`;
  const [holders, losers] = [new Set<Process>(), new Set<Process>()];
  const counted = new Set<string>();
  for (const { process, told } of sayings) {
    // It may lose its lock before it knows that it has it: then it finds out before it writes.
    if (told.told === "enters" && !losers.has(process)) {
      for (const other of holders) yield `${other.name} and ${process.name} have one lock.`;
      holders.add(process);
    }
    if (told.told === "loses") losers.add(process);
    if (told.told === "leaves") losers.delete(process);
    if (["leaves", "killed", "loses"].includes(told.told)) holders.delete(process);
    if (told.told === "wrote" && told.name === "counter") {
      // The counter needn't outlive a loss of power.
      if (counted.has(told.value) && !met.has("power"))
        yield `Two processes have counted up to ${told.value}.`;
      counted.add(told.value);
    }
  }
}

/** What was told as written before a read began is in what was read. */
function* brokenByReads(machine: Machine, last: Process): Generator<string> {
  const { sayings, met } = machine;
  const written = new Map<string, string[]>();
  const expected = new Map<Process, readonly string[]>();
  for (const { process, told } of sayings) {
    const { name } = process;
    switch (told.told) {
      case "wrote":
        written.set(told.name, [...(written.get(told.name) ?? []), told.value]);
        break;
      case "clears":
        // Those that read now may see it or not. They read the same: a world has one subject.
        written.delete(told.name);
        expected.clear();
        break;
      case "reads":
        expected.set(process, written.get(told.name) ?? []);
        break;
      case "read":
        if (told.name === "torn lines") {
          if (told.values.length > 0 && !met.has("full") && !met.has("power"))
            yield `${name} has read a torn line.`;
        } else yield* brokenByRead(name, told, expected.get(process) ?? []);
        break;
      case "refused":
        if (process === last || !isExcused(machine, process, told))
          yield `${name} could not: ${told.name}, ${told.code}: ${told.message}`;
        break;
      default:
    }
  }
}

function* brokenByRead(
  name: string,
  { name: what, values }: Told & { readonly told: "read" },
  expected: readonly string[],
): Generator<string> {
  if (what === "token") {
    if (values.length !== 1) yield `${name} has seen ${values.length} sessions of one store.`;
    const newest = Math.max(0, ...expected.map(ageOf));
    if (values.some((value) => ageOf(value) < newest))
      yield `${name} has seen a session that is older than the newest.`;
    return;
  }
  const missing = expected.filter((value) => !values.includes(value));
  if (missing.length > 0) yield `${name} has not seen the ${what} ${missing.join(", ")}.`;
  if (new Set(values).size < values.length) yield `${name} has seen a ${what} twice.`;
}

/** Of a token: how many came before it. */
function ageOf(token: string): number {
  return Number(token.replace(/\D/g, ""));
}

const readers: ReadonlySet<string> = new Set([
  "read lines",
  "read journal",
  "list sessions",
  "read settings",
]);

function isExcused(
  { met, service, processes, plan }: Machine,
  process: Process,
  { name, code }: Told & { readonly told: "refused" },
): boolean {
  if (process.isCutShort) return true;
  if (code === "token_refused") return mayHaveLostSession({ service, processes });
  // Another name was given to the store meanwhile, or it has that name already.
  if (name === "rename" && code === "invalid_input") return true;
  if (name === "renew" && code === "not_signed_in") return true;
  // Who stands still on the same machine keeps its locks. A long wait is longer than one for a lock where the turn of the one
  // that waits comes late, and so is one with the silence of a holder that was killed on another machine.
  const waitsLong = plan.works.flat().some((work) => work.kind === "count" && work.waits === "for long");
  if (code === "lock_timeout" && (met.has("stop") || waitsLong)) return true;
  return met.has("full") && !readers.has(name);
}

/** Between the service's answer and the write: the window that is named. */
function mayHaveLostSession({ service, processes }: Pick<Machine, "service" | "processes">): boolean {
  const cutShort = processes.filter(({ isCutShort }) => isCutShort).map(({ name }) => name);
  return service.renewals.some((sender) => cutShort.includes(sender));
}

function* brokenByService(machine: Machine): Generator<string> {
  const { service } = machine;
  if (service.reused > 0 && !mayHaveLostSession(machine)) yield "A refresh token was used twice.";
}

function* brokenByMachine({ disk, endless, met }: Machine): Generator<string> {
  for (const file of new Set(disk.changedOutside))
    yield `${file} was changed, which lies outside of comanda's folder.`;
  if (endless) yield "A process does not end.";
  if (met.size > 0) return;
  const left = [...filesBelow(disk, home)].filter((file) => /\.(tmp|claim|lock|before|tmp-\w+)$/.test(file));
  if (left.length > 0) yield `Nothing went wrong, and it is left: ${left.join(", ")}.`;
}

function* filesBelow(disk: SimulatedDisk, folder: string): Generator<string> {
  let names: readonly string[];
  try {
    names = disk.readdir(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const file = `${folder}/${name}`;
    if (disk.stat(file, false).isDirectory()) yield* filesBelow(disk, file);
    else yield file;
  }
}

/** The story of a world, numbered, as a person reads it. */
export function tell({ machine, broken }: Played): string {
  return [
    ...machine.story.map((line, index) => `${index + 1}. ${line}`),
    ...broken.map((line) => `=> ${line}`),
  ].join("\n");
}
