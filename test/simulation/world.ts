/** One simulated world: a machine, its processes, the network and the service; what happens next is what the plan says. */
import { DiskError, type SimulatedDisk } from "./disk.js";
import { sqliteCodes } from "../../src/state/sqlite/sqlite-driver.js";
import { Databases, inRealm, SqliteFault } from "./databases.js";
import type { Guest, Hooks } from "./guest.js";
import { Network, type Surroundings } from "./network.js";
import { bootedMs, placeOf, PlannedMachines, type Machine } from "./places.js";
import type { NetworkFault, Plan, Task, Trouble } from "./plan.js";
import { diskFor, Process, uid, watched } from "./process.js";
import type { Realms } from "./realm.js";
import { SimulatedService, windowOf, type Request } from "./service.js";

export const home = "/home/ana/comanda";

/** What somebody types, and pipes into it. */
export interface Line {
  readonly argv: readonly string[];
  /** Empty where nothing is. */
  readonly stdin: string;
}

interface Event {
  readonly due: number;
  readonly process: Process | undefined;
  readonly fire: () => void;
  /** Nobody waits for it. */
  readonly isBeat: boolean;
  /** Of what is due for a process, its loop comes to timers first, then to what has arrived, then to the rest. */
  readonly phase: Phase;
}

type Phase = (typeof phases)[keyof typeof phases];
const phases = { timer: 0, arrival: 1, soon: 2 } as const;

/** Of each process what its loop comes to first; of what is on the way, all. */
function firstOfEach(due: readonly Event[]): readonly Event[] {
  const firsts = new Map<Process, Event>();
  for (const event of due) {
    const first = event.process && firsts.get(event.process);
    const isFirst =
      !first || event.phase < first.phase || (event.phase === first.phase && event.due < first.due);
    if (event.process && isFirst) firsts.set(event.process, event);
  }
  return due.filter((event) => !event.process || firsts.get(event.process) === event);
}

/** The process is dead: whatever it still tries comes to nothing. */
class Dead extends Error {}

function refuseDead({ runs }: Process): void {
  if (!runs) throw new Dead();
}

/** More than any story needs that comes to an end. */
const mostEvents = 20_000;

export class World implements Surroundings {
  readonly service = new SimulatedService(() => this.monotonic);
  readonly processes: Process[] = [];
  readonly story: string[] = [];
  /** Processes that may have lost what the service answered before it was on the disk: the window that is named. */
  readonly cutShort = new Set<string>();
  readonly met = new Set<string>();
  /** Milliseconds that never jump. */
  monotonic = bootedMs;
  /** Some command went on for good. */
  endless = false;
  /**
   * Requests whose process stood still, from its look at the limit until it had the answer, for longer than the limit's
   * window. Others had their place by then: nobody can count that.
   */
  outlasted = 0;
  readonly #network = new Network(this);
  readonly #still = new Set<Process>();
  /** Those that pause, and for how many events of the others. */
  readonly #paused = new Map<Process, number>();
  #events: Event[] = [];
  readonly #databases: Databases;
  readonly #machines = new PlannedMachines();
  #choices = 0;
  #fired = 0;
  #random = 1;
  #calm = false;

  constructor(
    readonly disk: SimulatedDisk,
    readonly realms: Realms,
    readonly plan: Plan,
  ) {
    this.#databases = new Databases(disk);
    disk.clock = () => this.#wallOf(this.#machines.named());
    this.service.signedIn(plan.secondsLeft);
  }

  #wallOf({ wallOffset }: Machine): number {
    return this.monotonic + wallOffset;
  }

  get faults(): readonly NetworkFault[] {
    return this.#calm ? [] : this.plan.faults;
  }

  tell(line: string): void {
    this.story.push(line);
  }

  /** @param index its place in the plan, for one that troubles come to */
  start(task: Task, orders: readonly string[], { argv, stdin }: Line, index?: number): Process {
    const number = this.processes.length + 1;
    const machine = this.#machines.named(index === undefined ? undefined : this.plan.places[index]);
    // The same pid on each machine, of different processes.
    const pid = 101 + this.processes.filter((other) => other.machine === machine).length;
    const names = { name: `process ${number}`, machine, pid };
    const process = new Process({ ...names, task, orders, stdin, realm: this.realms.take(), index });
    this.processes.push(process);
    const piped = stdin === "" ? "" : `, with ${orders.join(" ")} on stdin`;
    const where = machine.name === "till" ? "" : ` on the ${machine.name}`;
    this.tell(`${process.name} starts${where}: comanda ${argv.join(" ")}${piped}`);
    this.#begin(process, (hooks) => {
      process.terminate = process.realm.guest.start(hooks, argv);
    });
    return process;
  }

  /** Before the story: a sign-in, as it lies on the disk. */
  signIn(apiKey: string | undefined): void {
    const expiresAt = this.#wallOf(this.#machines.named()) + this.plan.secondsLeft * 1000;
    this.aside((guest, hooks) => {
      guest.signIn(hooks, { expiresAt, apiKey });
    });
  }

  /** What no command does, by a process that nothing befalls. @returns what it has printed */
  aside(work: (guest: Guest, hooks: Hooks) => void): string {
    const machine = this.#machines.named();
    const of = {
      name: "aside",
      machine,
      pid: 99,
      task: { kind: "figures" },
      orders: [],
      stdin: "",
    } as const;
    const process = new Process({ ...of, realm: this.realms.take(), index: undefined });
    this.#begin(process, (hooks) => {
      work(process.realm.guest, hooks);
    });
    this.run();
    return process.stdout;
  }

  /** Runs until nothing is left that anybody waits for. */
  run(): void {
    while (this.#next());
    if (this.processes.some(({ runs }) => runs)) this.endless = true;
  }

  /** The story is over: other worlds have the realms. */
  giveBack(): void {
    for (const { realm } of this.processes) this.realms.giveBack(realm);
    this.#databases.remove();
  }

  /** From now on nothing more goes wrong: what is left is mended, as a person would. */
  calm(): void {
    this.#calm = true;
    this.disk.free = Infinity;
    this.tell("From here on nothing goes wrong any more.");
  }

  #begin(process: Process, work: (hooks: Hooks) => void): void {
    const hooks = this.#hooks(process);
    process.realm.soon = (callback) => void hooks.soon(callback);
    this.at(0, process, () => {
      work(hooks);
    });
  }

  #end(process: Process, state: "ended" | "killed"): void {
    if (!process.runs) return;
    process.state = state;
    this.#events = this.#events.filter((event) => event.process !== process);
    this.#databases.end(process);
    if (state === "ended") this.tell(`${process.name} ${process.ending()}`);
    else this.cutShort.add(process.name);
  }

  #hooks(process: Process): Hooks {
    const before = (call: string, given: readonly unknown[]) => {
      this.#step(process, call, given[0]);
      if (!process.nextCallFails || call === "close") return;
      process.nextCallFails = false;
      throw DiskError.of("EIO");
    };
    const after = (call: string, given: readonly unknown[]) => {
      if (call === "rename" && String(given[1]).startsWith(`${home}/sessions/`)) process.asks = false;
    };
    const { machine, realm } = process;
    const now = () => this.#wallOf(machine);
    const own = diskFor(process, this.disk);
    const disk = watched(own, { before, after }, (code) => realm.guest.diskError(code));
    const beforeSql = (sql: string, file: string) => {
      this.#step(process, sql.trim().split("\n", 1)[0] ?? "", file);
      if (!process.nextCallFails) return;
      process.nextCallFails = false;
      throw new SqliteFault(sqliteCodes.disk);
    };
    const openSqlite = inRealm(this.#databases.open(process, beforeSql), (code, message) =>
      realm.guest.sqliteError(code, message),
    );
    return {
      ...{ pid: process.pid, place: placeOf(machine), home, uid, disk, openSqlite, stdin: process.stdin },
      now,
      monotonic: () => this.monotonic,
      timer: (ms, fire, repeats) => this.#timer(process, ms, fire, repeats),
      soon: (fire) => this.#cancels(this.#add(0, process, fire, { phase: phases.soon })),
      send: (request, events) => {
        const lookAgain = this.#outlasting(process, request);
        this.#step(process, `sends ${request.method}`, request.url);
        lookAgain();
        if (request.url.endsWith("/oauth/token")) process.asks = true;
        return this.#network.send(process, request, {
          answer(given) {
            lookAgain();
            events.answer(given);
          },
          fail(failure, sent) {
            lookAgain();
            events.fail(failure, sent);
          },
        });
      },
      bytes: (count) => this.#bytes(count),
      // Long pauses: whoever waits needn't look more often than it must.
      fraction: () => 0.9 + (this.#draw() % 1000) / 10_000,
      runs: (pid) =>
        this.processes.some((other) => other.machine === machine && other.pid === pid && other.runs),
      print: (stream, text) => {
        if (process.runs) process[stream] += text;
      },
      exit: (code) => {
        if (process.runs) process.exitCode = code;
        this.#end(process, "ended");
      },
    };
  }

  /** To be called whenever the process goes on with its request, from before it goes out until its answer is there. */
  #outlasting(process: Process, request: Request): () => void {
    const placedAt = process.ranAt;
    let isLate = false;
    return () => {
      if (isLate || this.monotonic - placedAt <= windowOf(request)) return;
      isLate = true;
      this.outlasted += 1;
    };
  }

  // --- time, and what happens next

  at(ms: number, process: Process | undefined, fire: () => void): void {
    this.#add(ms, process, fire, { phase: phases.arrival });
  }

  #add(
    ms: number,
    process: Process | undefined,
    fire: () => void,
    { phase, isBeat = false }: { readonly phase: Phase; readonly isBeat?: boolean },
  ): Event {
    const event = { due: this.monotonic + Math.max(0, ms), process, fire, isBeat, phase };
    if (!process || process.runs) this.#events.push(event);
    return event;
  }

  #cancels(event: Event): () => void {
    return () => void (this.#events = this.#events.filter((other) => other !== event));
  }

  #timer(process: Process, ms: number, fire: () => void, repeats: boolean): () => void {
    const options = { phase: phases.timer, isBeat: repeats };
    const tick = () => {
      if (repeats) event = this.#add(ms, process, tick, options);
      fire();
    };
    let event = this.#add(repeats ? ms : process.naps.oversleeps(ms), process, tick, options);
    return () => this.#cancels(event)();
  }

  /** @returns `false` where nothing is left, or too much has happened */
  #next(): boolean {
    const able = this.#ableEvents();
    if (able.every(({ isBeat }) => isBeat)) return this.#goOnEarly();
    if ((this.#fired += 1) > mostEvents) return false;
    this.#countPauses();
    const now = Math.max(this.monotonic, Math.min(...able.map(({ due }) => due)));
    const ready = firstOfEach(able.filter(({ due }) => due <= now));
    const event = ready[this.#choice() % ready.length];
    if (!event) return false;
    this.monotonic = now;
    this.#events.splice(this.#events.indexOf(event), 1);
    if (event.process) this.#wake(event.process, event);
    else event.fire();
    return true;
  }

  #ableEvents(): Event[] {
    return this.#events.filter(
      ({ process }) => !process || !(this.#still.has(process) || this.#paused.has(process)),
    );
  }

  /** Nobody else has anything to do: whoever pauses needn't. @returns was there anybody? */
  #goOnEarly(): boolean {
    const [first] = this.#paused.keys();
    if (first) this.#paused.set(first, 0);
    this.#countPauses();
    return first !== undefined;
  }

  #countPauses(): void {
    for (const [process, left] of this.#paused) {
      this.#paused.set(process, left - 1);
      if (left > 0) continue;
      this.#paused.delete(process);
      if (process.runs) this.tell(`${process.name} goes on`);
    }
  }

  #choice(): number {
    if (this.#calm) return 0;
    this.#choices += 1;
    return this.plan.order[this.#choices - 1] ?? 0;
  }

  /** The process goes on until it waits again. Meanwhile it may stand still, and others go on. */
  #wake(process: Process, { due, fire }: Pick<Event, "due" | "fire">): void {
    this.#still.add(process);
    process.ranAt = due;
    try {
      this.#step(process, "goes on");
      fire();
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
    }
    process.realm.drain();
    this.#still.delete(process);
    if (!process.runs) this.realms.giveBack(process.realm);
  }

  // --- troubles

  /** @param about a file or an address, where it is one */
  #step(process: Process, doing: string, about?: unknown): void {
    refuseDead(process);
    process.steps += 1;
    if (process.index === undefined || this.#calm) return;
    const what = typeof about === "string" ? `${doing} ${about.replace(`${home}/`, "")}` : doing;
    process.doings.push(what);
    for (const trouble of this.plan.troubles)
      if (trouble.process === process.index && trouble.step === process.steps)
        this.#befall(process, trouble, `at its step ${process.steps} (${what})`);
    refuseDead(process);
  }

  #befall(process: Process, { what, amount }: Trouble, when: string): void {
    if (!process.runs) return;
    this.met.add(what);
    switch (what) {
      case "kill":
        this.tell(`${process.name} is killed ${when}`);
        this.#end(process, "killed");
        break;
      case "power":
        this.tell(`The power fails: ${process.name} was ${when}`);
        for (const each of this.processes) this.#end(each, "killed");
        this.disk.losePower((most) => (most <= 0 ? 0 : this.#draw() % (most + 1)));
        this.#machines.startAgain();
        break;
      case "terminate":
        this.tell(`${process.name} gets SIGTERM ${when}`);
        this.at(0, process, () => {
          process.terminate();
        });
        break;
      case "stop":
        this.tell(`${process.name} stands still ${when}, for ${amount} events of the others`);
        for (let events = 0; events < amount && this.#next(); events += 1);
        this.tell(`${process.name} goes on`);
        break;
      case "pause":
        this.tell(`${process.name} pauses at its next wait for ${amount} events of the others, ${when}`);
        this.#paused.set(process, amount);
        break;
      case "full":
        this.tell(`The disk fills up: ${amount} bytes are left; ${process.name} was ${when}`);
        this.disk.free = amount;
        break;
      case "EIO":
        this.tell(`The disk fails once (EIO) for ${process.name}, ${when} or soon after`);
        this.cutShort.add(process.name);
        process.nextCallFails = true;
        break;
      case "clock":
        this.tell(`The clock is set ${amount - 30} minutes on; ${process.name} was ${when}`);
        this.#machines.setClock((amount - 30) * 60_000);
    }
  }

  // --- chance

  /** Numbers that look random and are always the same. */
  #draw(): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return this.#random >>> 8;
  }

  /** No two calls give the same; what is long needn't look random to its end. */
  #bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let index = 0; index < Math.min(count, 8); index += 1) bytes[index] = this.#draw() & 0xff;
    return bytes;
  }
}
