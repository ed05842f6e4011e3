/** One simulated world: a machine, its processes, the network and the service; what happens next is what the plan says. */
import { DiskError, type SimulatedDisk } from "./disk.js";
import type { Hooks } from "./guest.js";
import { Network, type Surroundings } from "./network.js";
import type { NetworkFault, Plan, Task, Trouble } from "./plan.js";
import { diskFor, Process, uid, watched } from "./process.js";
import type { Realms } from "./realm.js";
import { SimulatedService } from "./service.js";

export const home = "/home/ana/comanda";
const baseUrl = "https://service.example";
const wallStart = Date.UTC(2026, 10, 20, 15);
/** Milliseconds that the machine has been running when the story begins. */
const bootedMs = 1_000_000;

interface Event {
  readonly due: number;
  readonly process: Process | undefined;
  readonly fire: () => void;
  /** Nobody waits for it. */
  readonly isBeat: boolean;
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
  readonly #network = new Network(this);
  readonly #still = new Set<Process>();
  #events: Event[] = [];
  #wallOffset = wallStart - bootedMs;
  #boot = "boot-1";
  #choices = 0;
  #fired = 0;
  #random = 1;
  #calm = false;

  constructor(
    readonly disk: SimulatedDisk,
    readonly realms: Realms,
    readonly plan: Plan,
  ) {
    disk.clock = () => this.#wall;
    this.service.signedIn(plan.secondsLeft);
  }

  get #wall(): number {
    return this.monotonic + this.#wallOffset;
  }

  get faults(): readonly NetworkFault[] {
    return this.#calm ? [] : this.plan.faults;
  }

  tell(line: string): void {
    this.story.push(line);
  }

  /** @param index its place in the plan, for one that troubles come to */
  start(task: Task, orders: readonly string[], argv: readonly string[], index?: number): Process {
    const number = this.processes.length + 1;
    const process = new Process(`process ${number}`, 100 + number, task, orders, this.realms.take(), index);
    this.processes.push(process);
    this.tell(`${process.name} starts: comanda ${argv.join(" ")}`);
    this.#begin(process, (hooks) => {
      process.terminate = process.realm.guest.start(hooks, argv);
    });
    return process;
  }

  /** Before the story: a sign-in, as it lies on the disk. */
  signIn(): void {
    const process = new Process("sign-in", 99, { kind: "figures" }, [], this.realms.take(), undefined);
    const expiresAt = this.#wall + this.plan.secondsLeft * 1000;
    this.#begin(process, (hooks) => {
      process.realm.guest.signIn(hooks, baseUrl, expiresAt);
    });
    this.run();
  }

  /** Runs until nothing is left that anybody waits for. */
  run(): void {
    while (this.#next());
    if (this.processes.some(({ runs }) => runs)) this.endless = true;
  }

  /** From now on nothing more goes wrong: what is left is mended, as a person would. */
  calm(): void {
    this.#calm = true;
    this.disk.free = Infinity;
    this.tell("From here on nothing goes wrong any more.");
  }

  #begin(process: Process, work: (hooks: Hooks) => void): void {
    const hooks = this.#hooks(process);
    process.realm.soon = (callback) => void hooks.timer(0, callback, false);
    this.at(0, process, () => {
      work(hooks);
    });
  }

  #end(process: Process, state: "ended" | "killed"): void {
    if (!process.runs) return;
    process.state = state;
    this.#events = this.#events.filter((event) => event.process !== process);
    if (state === "ended") this.tell(`${process.name} ${process.ending()}`);
    else this.cutShort.add(process.name);
  }

  #hooks(process: Process): Hooks {
    const disk = watched(diskFor(process, this.disk), (call, about) => {
      this.#step(process, typeof about === "string" ? `${call} ${about.replace(`${home}/`, "")}` : call);
      if (!process.nextCallFails || call === "close" || call === "now") return;
      process.nextCallFails = false;
      throw DiskError.of("EIO");
    });
    return {
      ...{ pid: process.pid, boot: this.#boot, home, uid, disk },
      now: () => this.#wall,
      monotonic: () => this.monotonic,
      timer: (ms, fire, repeats) => this.#timer(process, ms, fire, repeats),
      send: (request, events) => {
        this.#step(process, `sends ${request.method} ${new URL(request.url).pathname}`);
        return this.#network.send(process, request, events);
      },
      bytes: (count) => this.#bytes(count),
      // Long pauses: whoever waits needn't look more often than it must.
      fraction: () => 0.9 + (this.#draw() % 1000) / 10_000,
      runs: (pid) => this.processes.some((other) => other.pid === pid && other.runs),
      print: (stream, text) => {
        if (process.runs) process[stream] += text;
      },
      exit: (code) => {
        if (process.runs) process.exitCode = code;
        this.#end(process, "ended");
      },
    };
  }

  // --- time, and what happens next

  at(ms: number, process: Process | undefined, fire: () => void, isBeat = false): Event {
    const event = { due: this.monotonic + Math.max(0, ms), process, fire, isBeat };
    if (!process || process.runs) this.#events.push(event);
    return event;
  }

  #timer(process: Process, ms: number, fire: () => void, repeats: boolean): () => void {
    const tick = () => {
      if (repeats) event = this.at(ms, process, tick, repeats);
      fire();
    };
    let event = this.at(ms, process, tick, repeats);
    return () => void (this.#events = this.#events.filter((other) => other !== event));
  }

  /** @returns `false` where nothing is left, or too much has happened */
  #next(): boolean {
    const able = this.#events.filter(({ process }) => !process || !this.#still.has(process));
    if (able.every(({ isBeat }) => isBeat) || (this.#fired += 1) > mostEvents) return false;
    const now = Math.max(this.monotonic, Math.min(...able.map(({ due }) => due)));
    const ready = able.filter(({ due }) => due <= now);
    const event = ready[this.#choice() % ready.length];
    if (!event) return false;
    this.monotonic = now;
    this.#events.splice(this.#events.indexOf(event), 1);
    if (event.process) this.#wake(event.process, event.fire);
    else event.fire();
    return true;
  }

  #choice(): number {
    if (this.#calm) return 0;
    this.#choices += 1;
    return this.plan.order[this.#choices - 1] ?? 0;
  }

  /** The process goes on until it waits again. Meanwhile it may stand still, and others go on. */
  #wake(process: Process, work: () => void): void {
    this.#still.add(process);
    try {
      this.#step(process, "goes on");
      work();
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
    }
    process.realm.drain();
    this.#still.delete(process);
    if (!process.runs) this.realms.giveBack(process.realm);
  }

  // --- troubles

  #step(process: Process, doing: string): void {
    refuseDead(process);
    process.steps += 1;
    if (process.index === undefined || this.#calm) return;
    for (const trouble of this.plan.troubles)
      if (trouble.process === process.index && trouble.step === process.steps)
        this.#befall(process, trouble, `at its step ${process.steps} (${doing})`);
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
        this.#boot = "boot-2";
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
        this.#wallOffset += (amount - 30) * 60_000;
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
