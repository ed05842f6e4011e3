/** What lies between a process and the service: requests take their time, and the plan says which of them go wrong. */
import type { SendEvents } from "./guest.js";
import type { NetworkFault } from "./plan.js";
import type { Process } from "./process.js";
import { refusal, type Answer, type Request, type SimulatedService } from "./service.js";

type Fault = NetworkFault["what"];

/** The world that the network is a part of. */
export interface Surroundings {
  readonly service: SimulatedService;
  /** As the plan has it; nothing once the world is calm. */
  readonly faults: readonly NetworkFault[];
  /** Has a trouble or fault of this kind come about? */
  readonly met: Set<string>;
  /** Processes that may have lost an answer. */
  readonly cutShort: Set<string>;
  /** @param process that it comes to: nothing comes to one that is dead */
  at(ms: number, process: Process | undefined, fire: () => void): unknown;
  tell(line: string): void;
}

/** Milliseconds to the service, and back. */
const wayMs = 10;

export class Network {
  #requests = 0;

  constructor(readonly world: Surroundings) {}

  send(sender: Process, request: Request, events: SendEvents): { isSent(): boolean; giveUp(): void } {
    const { world } = this;
    const what = `${request.method} ${new URL(request.url).pathname}`;
    const fault = this.#nextFault(what);
    const way = { isSent: false, isGivenUp: false };
    if (fault !== undefined) world.met.add(fault);
    if (fault === "refused") {
      world.tell(`The network refuses ${what} of ${sender.name}`);
      world.at(wayMs, sender, () => {
        events.fail("refused", false);
      });
    } else {
      world.at(wayMs / 2, undefined, () => {
        if (way.isGivenUp || !sender.runs) return;
        way.isSent = true;
        world.at(wayMs, undefined, () => {
          this.#arrive({ sender, request, events, what }, fault);
        });
      });
    }
    return { isSent: () => way.isSent, giveUp: () => void (way.isGivenUp = true) };
  }

  #nextFault(what: string): Fault | undefined {
    const number = this.#requests;
    this.#requests += 1;
    const fault = this.world.faults.find(
      ({ request, times }) => number >= request && number < request + times,
    )?.what;
    // To a refresh a 401 is the word that the sign-in has ended, and no fault.
    return fault === "401" && what.endsWith("/token") ? undefined : fault;
  }

  #arrive({ sender, request, events, what }: Arriving, fault: Fault | undefined): void {
    const { service, cutShort } = this.world;
    const receipt = service.receive(request, sender.name);
    const isDone = fault === undefined || fault.endsWith("after");
    const answer = isDone ? service.answer(request, sender.name, receipt) : undefined;
    if (isDone && fault !== undefined) cutShort.add(sender.name);
    const said = answer ? `HTTP ${answer.status}` : "nothing is done";
    const back = fault === undefined ? "" : `, and on the way back: ${fault}`;
    this.world.tell(
      `The service ${isDone ? "answers" : "never looks at"} ${what} of ${sender.name}: ${said}${back}`,
    );
    if (fault?.startsWith("silence")) return;
    this.world.at(wayMs, sender, () => {
      if (fault?.startsWith("reset")) {
        events.fail("reset", true);
        return;
      }
      const given = faultyAnswer(fault) ?? answer ?? refusal(500, undefined, "fault");
      if (receipt && (given.status === 429 || given.status === 401)) receipt.refusalArrived = true;
      events.answer(given);
    });
  }
}

interface Arriving {
  readonly sender: Process;
  readonly request: Request;
  readonly events: SendEvents;
  readonly what: string;
}

function faultyAnswer(fault: Fault | undefined): Answer | undefined {
  switch (fault) {
    case "429":
      return { ...refusal(429, undefined, "Too many requests"), headers: { "retry-after": "2" } };
    case "401":
      return refusal(401, 4010, "Invalid token");
    case "500 before":
      return refusal(500, undefined, "fault");
    case "502 after":
      return { status: 502, headers: {}, body: "<html>Bad gateway</html>" };
    case "page after":
      return { status: 200, headers: {}, body: "<html>Welcome</html>" };
    default:
      return undefined;
  }
}
