/** What lies between a process and the service: requests take their time, and the plan says which of them go wrong. */
import type { SendEvents } from "./guest.js";
import type { NetworkFault } from "./plan.js";
import type { Process } from "./process.js";
import { refusal, type Answer, type Request, type SimulatedService } from "./service.js";
import { arrivedOf, isWhole } from "./wire.js";

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
    if (fault !== undefined) world.met.add(fault.what);
    if (fault?.what === "refused") {
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

  #nextFault(what: string): NetworkFault | undefined {
    const number = this.#requests;
    this.#requests += 1;
    const fault = this.world.faults.find(
      ({ request, times }) => number >= request && number < request + times,
    );
    // To a refresh or a revocation a 401 is the word that the sign-in has ended, and no fault.
    return fault?.what === "401" && what.includes("/oauth/") ? undefined : fault;
  }

  #arrive({ sender, request, events, what }: Arriving, fault: NetworkFault | undefined): void {
    const { service, cutShort } = this.world;
    const receipt = service.receive(request, sender.name);
    const isDone = reachesService(request, fault);
    const answer = isDone ? service.answer(request, sender.name, receipt) : undefined;
    if (isDone && fault) cutShort.add(sender.name);
    const said = answer ? `HTTP ${answer.status}` : "nothing is done";
    const back = fault ? `, and ${faultText(fault)}` : "";
    this.world.tell(
      `The service ${isDone ? "answers" : "never looks at"} ${what} of ${sender.name}: ${said}${back}`,
    );
    if (fault?.what.startsWith("silence")) return;
    this.world.at(wayMs, sender, () => {
      const given = arrivingAnswer(answer, fault);
      if (given === undefined) {
        events.fail("reset", true);
        return;
      }
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

/** Faults that come after the service has done what it was asked for. */
const after: ReadonlySet<string> = new Set([
  ...["reset after", "502 after", "silence after", "page after"],
  ...["answer cut", "answer without length cut"],
]);

function reachesService(request: Request, fault: NetworkFault | undefined): boolean {
  if (fault?.what === "request cut") return isWhole(request, fault.at);
  return fault === undefined || after.has(fault.what);
}

/** What became of it on the way, for the story. */
function faultText({ what, at }: NetworkFault): string {
  const texts: Record<NetworkFault["what"], string> = {
    refused: "no connection comes about",
    "reset before": "the connection breaks before the request is there",
    "reset after": "the connection breaks, and the answer is lost",
    "500 before": "500 comes back",
    "502 after": "a proxy puts 502 in its place",
    "429": "429 comes back",
    "401": "401 comes back",
    "silence before": "nothing ever comes back",
    "silence after": "the answer never comes",
    "page after": "a web page comes in its place",
    "request cut": `the request is cut at byte ${at}`,
    "answer cut": `the answer is cut at byte ${at}`,
    "answer without length cut": `the answer is cut at byte ${at}, and doesn't say how long it is`,
  };
  return texts[what];
}

/** @returns `undefined` where the connection ends before there is an answer */
function arrivingAnswer(answer: Answer | undefined, fault: NetworkFault | undefined): Answer | undefined {
  switch (fault?.what) {
    case undefined:
      return answer;
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
    case "answer cut":
    case "answer without length cut":
      return answer && arrivedOf(answer, fault.at, fault.what === "answer cut");
    default:
      return undefined;
  }
}
