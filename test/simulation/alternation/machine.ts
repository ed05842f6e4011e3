/** A machine whose processes take turns at single file calls: who goes on next is what the plan says. */
import type { FileStats } from "../../../src/shared/disk.js";
import { DiskError, type SimulatedDisk } from "../disk.js";
import { diskFor, Naps, OpenFiles } from "../process.js";
import {
  bootedMs,
  Holdings,
  leastSilenceMs,
  placeOf,
  PlannedMachines,
  type Machine as Place,
} from "../places.js";
import { SimulatedService } from "../service.js";
import type { Note, Order, Report, Told } from "./messages.js";
import type { Plan, Trouble, Turn, Work } from "./plan.js";
import type { Thread, Threads } from "./threads.js";

export const home = "/home/ana/comanda";
/** Until an answer of the service is back. */
const answerMs = 20;
/** More than any story needs that comes to an end. */
const mostSteps = 20_000;

/** What comes for a process that waits. */
interface Event {
  readonly due: number;
  readonly order: "start" | { readonly timer: number } | { readonly send: number };
  /** Of a timer that repeats: nobody waits for it. */
  readonly every?: number;
  readonly fire: () => Orders;
}

type Orders = Order extends infer Each ? (Each extends Order ? Omit<Each, keyof MomentOf> : never) : never;
interface MomentOf {
  now: unknown;
  monotonic: unknown;
  running: unknown;
}

/** A line of the story, or a file call, which shares one with the calls before and after it. */
type Happening = { readonly line: string } | { readonly process: Process; readonly call: string };

export class Process {
  readonly files = new OpenFiles();
  readonly naps = new Naps();
  state: "running" | "ended" | "killed" = "running";
  /** The file call that it stands at: not made yet. */
  call: Report["call"];
  events: Event[] = [];
  steps = 0;
  /** Of them, those at names. */
  names = 0;
  nextCallFails = false;
  /** It was killed, a call of its own failed, or it lost its lock in the window that is named. */
  isCutShort = false;
  /** A refresh of its own is out, or answered and not on the disk yet. */
  asks = false;
  /**
   * When it last was to go on after a wait, and until when it stands still (milliseconds that never jump). Where its turn came
   * late, it stood still until then, and may have done so again before it touched its lock.
   */
  ranAt = 0;
  stillUntil = 0;

  constructor(
    readonly name: string,
    readonly place: Place,
    /** Means something on its machine alone. */
    readonly pid: number,
    /** Its place in the plan; troubles come to no other. */
    readonly index: number | undefined,
    readonly thread: Thread,
  ) {}

  get runs(): boolean {
    return this.state === "running";
  }

  /** The next that comes for it and that it waits for. */
  get next(): Event | undefined {
    const awaited = this.events.filter(({ every }) => every === undefined);
    if (awaited.length === 0) return undefined;
    return this.events.reduce((first, event) => (event.due < first.due ? event : first));
  }

  /** Does its call give a file a name, take one away, or look what has one? */
  get isAtName(): boolean {
    return this.call !== undefined && ofNames.has(this.call.name);
  }

  get isAble(): boolean {
    return this.runs && (this.call !== undefined || this.next !== undefined);
  }
}

/** What a process told, and when. */
export interface Saying {
  readonly process: Process;
  readonly told: Told;
  /** Milliseconds that never jump. */
  readonly at: number;
}

export interface MachineOptions {
  /** Whoever comes in between goes on until it waits: what the other simulation can play. */
  readonly nested?: boolean;
}

export class Machine {
  readonly service = new SimulatedService(() => this.monotonic);
  readonly processes: Process[] = [];
  readonly sayings: Saying[] = [];
  readonly met = new Set<Trouble["what"]>();
  readonly faults: string[] = [];
  monotonic = bootedMs;
  endless = false;
  /** Changes by processes that stood still between a look at their lock and the change, when it was no longer theirs. */
  blind = 0;
  /** A holder that stood still has lost its lock. */
  lockTaken = false;
  /** Processes that had a lock taken from them, though they went on. */
  readonly robbed = new Set<string>();
  readonly #places: PlannedMachines;
  readonly #holdings = new Holdings<Process>((from, by) => this.#takenFrom(from, by));
  readonly #story: Happening[] = [];
  readonly #turns: Turn[];
  #current: Process | undefined;
  /** Of those that came in between, each one on top of the one that it came in between. */
  readonly #standing: Process[] = [];
  #steps = 0;
  #random = 1;
  #calm = false;

  constructor(
    readonly disk: SimulatedDisk,
    readonly threads: Threads,
    readonly plan: Plan,
    readonly options: MachineOptions = {},
  ) {
    this.#places = new PlannedMachines(plan.minutesApart);
    disk.clock = () => this.#wallOf(this.#places.named());
    this.#turns = [...plan.turns];
  }

  #wallOf({ wallOffset }: Place): number {
    return this.monotonic + wallOffset;
  }

  /** Do the processes' clocks tell different times? */
  get clocksDiffer(): boolean {
    return new Set(this.processes.map(({ place }) => place.wallOffset)).size > 1;
  }

  /** @param index its place in the plan, for one that troubles come to */
  start(works: readonly Work[], index?: number): Process {
    const number = this.processes.length + 1;
    const place = this.#places.named(index === undefined ? undefined : this.plan.places[index]);
    // The same pid on each machine, of different processes.
    const pid = 101 + this.processes.filter((other) => other.place === place).length;
    const process = new Process(`process ${number}`, place, pid, index, this.threads.take());
    this.processes.push(process);
    const where = place.name === "till" ? "" : ` on the ${place.name}`;
    this.#tell(`${process.name} starts${where}: ${works.map(textOf).join(", ")}`);
    const start = { pid, place: placeOf(place), id: 100 + number, works };
    process.events.push({ due: this.monotonic, order: "start", fire: () => ({ order: "start", start }) });
    return process;
  }

  /** Runs until nothing is left that anybody waits for. */
  run(): void {
    for (let process = this.#choose(); process; process = this.#choose()) {
      if ((this.#steps += 1) > mostSteps) {
        this.endless = true;
        break;
      }
      this.#go(process);
    }
    for (const { name, runs } of this.processes)
      if (runs && !this.endless) this.faults.push(`${name} waits for nothing`);
  }

  /** From now on nothing more goes wrong, and nobody comes in between. */
  calm(): void {
    this.#calm = true;
    this.disk.free = Infinity;
    this.#tell("From here on nothing goes wrong any more.");
  }

  /** The story is over. */
  end(): void {
    for (const process of this.processes) this.#kill(process);
  }

  // --- who goes on

  #choose(): Process | undefined {
    for (let turn = this.#turns[0]; turn && !this.#calm; turn = this.#turns[0]) {
      const process = this.processes[turn.process % this.processes.length];
      this.#turns.shift();
      if (!process || !this.#mayGoOn(process)) continue;
      const left = turn.steps - (turn.of === undefined || process.isAtName ? 1 : 0);
      // Counted in names, a turn ends where the process stands at one.
      if (turn.of !== undefined && left < 0) continue;
      if (left > 0 || turn.of !== undefined) this.#turns.unshift({ ...turn, steps: left });
      return process;
    }
    const current = this.#current;
    if (current?.call && this.#mayGoOn(current)) return current;
    const able = this.#able();
    const inTheMiddle = able.find(({ call }) => call !== undefined);
    return inTheMiddle ?? able.toSorted((a, b) => dueOf(a) - dueOf(b))[0];
  }

  /** Where all that could go on stand still, time passes until one of them doesn't. */
  #able(): readonly Process[] {
    const able = this.processes.filter((process) => this.#mayGoOn(process));
    const still = this.processes.filter(({ isAble, stillUntil }) => isAble && stillUntil > this.monotonic);
    const firstUp = Math.min(...still.map(({ stillUntil }) => stillUntil));
    const isNext = able.some((process) => process.call !== undefined || dueOf(process) <= firstUp);
    if (isNext || still.length === 0) return able;
    this.monotonic = firstUp;
    return this.#able();
  }

  #mayGoOn(process: Process): boolean {
    if (!process.isAble || process.stillUntil > this.monotonic) return false;
    return !this.options.nested || !this.#standing.includes(process) || this.#standing.at(-1) === process;
  }

  #go(process: Process): void {
    if (this.#standing.at(-1) !== process) this.#standing.push(process);
    this.#current = process;
    process.steps += 1;
    if (process.isAtName) process.names += 1;
    for (const trouble of this.plan.troubles)
      if (!this.#calm && trouble.process === process.index && isNow(trouble, process))
        this.#befall(process, trouble);
    if (process.runs && process.stillUntil <= this.monotonic)
      this.#say(process, process.call ? this.#made(process, process.call) : this.#due(process));
    if (!process.call || !process.runs) this.#standing.splice(this.#standing.indexOf(process), 1);
  }

  /** The next that comes for a process. Time goes on to it, where it hasn't yet: meanwhile the others stood still. */
  #due(process: Process): Orders {
    const event = process.next;
    this.#holdings.goesOn(process);
    if (!event) throw new Error("nothing comes for it");
    this.monotonic = Math.max(this.monotonic, event.due);
    process.ranAt = event.due;
    process.events.splice(process.events.indexOf(event), 1);
    if (event.every !== undefined)
      process.events.push({ ...event, due: this.monotonic + Math.max(1, event.every) });
    return event.fire();
  }

  #made(process: Process, { name, given }: NonNullable<Report["call"]>): Orders {
    const files = given.filter((each) => typeof each === "string").map(nameOf);
    const told = name === "write" ? name : [name, ...files].join(" ");
    if (this.#holdings.calls(process, name, given)) this.#goesBlind(process, told);
    try {
      if (process.nextCallFails) {
        process.nextCallFails = false;
        throw DiskError.of("EIO");
      }
      const result = served(process, this.disk, () => this.#wallOf(process.place), name, given);
      this.#holdings.called(process, name, given);
      if (name === "rename" && String(given[1]).startsWith(`${home}/sessions/`)) process.asks = false;
      this.#story.push({ process, call: told });
      return { order: "done", result };
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#story.push({ process, call: `${told} (${error.code})` });
      return { order: "failed", code: error.code };
    }
  }

  #say(process: Process, order: Orders): void {
    const { place } = process;
    const running = this.processes.filter((other) => other.runs && other.place === place);
    const moment = {
      now: this.#wallOf(place),
      monotonic: this.monotonic + place.upOffset,
      running: running.map(({ pid }) => pid),
    };
    const { notes, call } = process.thread.tell({ ...moment, ...order });
    process.call = call;
    for (const note of notes) this.#hear(process, note);
    if (process.state === "ended") this.#leave(process);
  }

  /** Its thread is free for another process. */
  #leave(process: Process): void {
    if (process.call) process.thread.tell({ now: 0, monotonic: 0, running: [], order: "die" });
    process.call = undefined;
    process.events = [];
    this.threads.giveBack(process.thread);
  }

  #hear(process: Process, note: Note): void {
    switch (note.note) {
      case "timer": {
        const { id, ms, repeats } = note;
        process.events.push({
          due: this.monotonic + (repeats ? ms : process.naps.oversleeps(ms)),
          order: { timer: id },
          ...(repeats && { every: ms }),
          fire: () => ({ order: "timer", id }),
        });
        break;
      }
      case "cancel":
        process.events = process.events.filter(
          ({ order }) => order === "start" || !("timer" in order) || order.timer !== note.id,
        );
        break;
      case "send": {
        const { id, request } = note;
        if (this.#holdings.calls(process, "send", [])) this.#goesBlind(process, "sends");
        process.asks = true;
        const answer = this.service.answer(request, process.name, undefined);
        this.#tell(
          `The service answers ${new URL(request.url).pathname} of ${process.name}: HTTP ${answer.status}`,
        );
        const fire = () => ({ order: "answer", id, answer }) as const;
        process.events.push({ due: this.monotonic + answerMs, order: { send: id }, fire });
        break;
      }
      case "close":
        process.files.close(note.descriptor);
        break;
      case "tell":
        this.#said(process, note.told);
        break;
      case "exit":
        process.state = "ended";
        break;
      case "fault":
        this.faults.push(`${process.name} has a fault of its own: ${note.text}`);
    }
  }

  #said(process: Process, told: Told): void {
    this.sayings.push({ process, told, at: this.monotonic });
    this.#tell(`${process.name} ${sayingText(told)}`);
  }

  // --- troubles

  #kill(process: Process): void {
    if (!process.runs) return;
    process.state = "killed";
    process.isCutShort = true;
    this.#leave(process);
    this.#said(process, { told: "killed" });
  }

  #befall(process: Process, { what, amount }: Trouble): void {
    this.met.add(what);
    switch (what) {
      case "kill":
        this.#kill(process);
        break;
      case "power":
        this.#tell("The power fails");
        for (const each of this.processes) this.#kill(each);
        this.disk.losePower((most) => (most <= 0 ? 0 : this.#draw() % (most + 1)));
        this.#places.startAgain();
        break;
      case "full":
        this.#tell(`The disk fills up: ${amount} bytes are left`);
        this.disk.free = amount;
        break;
      case "EIO":
        this.#tell(`The disk fails once (EIO) for ${process.name}`);
        process.nextCallFails = process.isCutShort = true;
        break;
      case "clock":
        this.#tell(`The clock is set ${amount - 30} minutes on`);
        this.#places.setClock(process.place, (amount - 30) * 60_000);
        break;
      case "stop":
        this.#tell(`${process.name} stands still for ${amount} s`);
        process.stillUntil = this.monotonic + amount * 1000;
    }
  }

  // --- locks

  #takenFrom(from: Process, by: Process): boolean {
    if (!from.runs) return false;
    this.lockTaken = true;
    this.#tell(`${by.name} takes a lock of ${from.name}`);
    const isSilent = this.monotonic - from.ranAt >= leastSilenceMs;
    const mayBe = isSilent && from.place !== by.place;
    if (!mayBe) this.robbed.add(from.name);
    if (!mayBe) return false;
    if (from.asks) from.isCutShort = true;
    this.#said(from, { told: "loses" });
    return true;
  }

  #goesBlind(process: Process, call: string): void {
    this.blind += 1;
    this.#tell(`${process.name} can't know that its lock is gone: ${call}`);
  }

  /** Numbers that look random and are always the same. */
  #draw(): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return this.#random >>> 8;
  }

  #tell(line: string): void {
    this.#story.push({ line });
  }

  /** What happened, in turn: calls of one process with nothing in between are one line. */
  get story(): readonly string[] {
    const lines: string[] = [];
    let calls: { readonly process: Process; readonly names: string[] } | undefined;
    const flush = () => {
      if (calls) lines.push(`${calls.process.name}: ${calls.names.join(", ")}`);
      calls = undefined;
    };
    for (const happening of this.#story) {
      if ("line" in happening) {
        flush();
        lines.push(happening.line);
        continue;
      }
      if (calls?.process !== happening.process) flush();
      calls ??= { process: happening.process, names: [] };
      calls.names.push(happening.call);
    }
    flush();
    return lines;
  }
}

const ofNames: ReadonlySet<string> = new Set(["open", "link", "rename", "unlink", "remove"]);

function isNow({ step, of }: Trouble, { steps, names, isAtName }: Process): boolean {
  return of === undefined ? step === steps : isAtName && step === names;
}

function dueOf(process: Process): number {
  return process.next?.due ?? Infinity;
}

/** One call, made on the disk; what it gives back as data. */
function served(
  process: Process,
  disk: SimulatedDisk,
  now: () => number,
  name: string,
  given: readonly unknown[],
): unknown {
  const calls = diskFor(process, disk, now);
  if (name === "read") {
    const [descriptor, length, position] = given as [number, number, number | null];
    const into = Buffer.alloc(length);
    return into.toString("latin1", 0, calls.read(descriptor, into, position ?? undefined));
  }
  if (name === "write") {
    const [descriptor, text, position] = given as [number, string, number];
    return calls.write(descriptor, Buffer.from(text, "latin1"), position);
  }
  if (name === "stamp") {
    const { ino, mtimeNs } = calls.stamp(given[0] as number);
    return { ino: String(ino), mtimeNs: String(mtimeNs) };
  }
  const byName = calls as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  const result = byName[name]?.(...given);
  if (name !== "stat" && name !== "lstat" && name !== "fstat") return result ?? null;
  const stats = result as FileStats;
  const { size, mode, uid, mtimeMs } = stats;
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "link";
  return { size, mode, uid, mtimeMs, kind };
}

/** For the story: what lies in the folder of the state is named from there, a draft by what it becomes. */
function nameOf(file: string): string {
  return file
    .replace(`${home}/`, "")
    .replace(/\.([^/]+)\.[0-9a-f]{8}\.(\d+)\.[0-9a-f]{16}\.tmp$/, "$1 (draft of $2)");
}

function textOf(work: Work): string {
  const { kind, ...how } = work;
  const given = Object.values(how);
  return given.length === 0 ? kind : `${kind} (${given.join(", ")})`;
}

function sayingText(told: Told): string {
  switch (told.told) {
    case "enters":
      return "has the lock";
    case "leaves":
      return "gives the lock up";
    case "wrote":
      return `has written: ${told.name} ${told.value}`;
    case "clears":
      return `forgets: ${told.name}`;
    case "reads":
      return `reads: ${told.name}`;
    case "read":
      return `has read: ${told.name} ${told.values.join(" ") || "none"}`;
    case "refused":
      return `could not: ${told.name}, ${told.code}: ${told.message}`;
    case "warned":
      return `warns: ${told.message}`;
    case "killed":
      return "is killed";
    case "loses":
      return "has lost the lock";
  }
}
