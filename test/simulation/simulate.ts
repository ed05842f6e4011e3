/** Plays a plan to its end, mends what is left as a person would, and says which promise was broken. */
import { openFlags } from "../../src/shared/disk.js";
import { isObject, parseJson } from "../../src/shared/json.js";
import type { Beginning } from "./beginning.js";
import type { Plan, Task } from "./plan.js";
import { uid, type Process } from "./process.js";
import type { SignIn } from "./service.js";
import {
  aliases,
  lastLine,
  lineOf,
  ordersOf,
  resumed as resumedLine,
  sessionFile,
  settingOf,
} from "./tasks.js";
import { home, World } from "./world.js";

export interface Played {
  readonly world: World;
  /** In words; none where all is well. */
  readonly broken: readonly string[];
}

export function play(beginning: Beginning, plan: Plan): Played {
  const disk = beginning.diskFor(plan);
  const world = new World(disk, beginning.realms, plan);
  setTrap(world, plan.trap);
  const firsts = plan.tasks.map((task, index) => {
    const [first = task] = plan.tasks;
    const isAgain = task.kind === "again" && first.kind === "many";
    const orders = isAgain ? ordersOf(first, 0) : ordersOf(task, index);
    const line = isAgain ? resumedLine(lineOf(first, orders, 0)) : lineOf(task, orders, index);
    return world.start(task, orders, line, index);
  });
  world.run();
  world.calm();
  const resumed = firsts.map((first) => resume(world, first));
  const stored = storedSessions(world);
  const stores = stored.map(({ store }) => store);
  const last = world.start({ kind: "one", verb: "finalize" }, ["999"], lastLine(stores));
  world.run();
  const broken = [
    ...brokenByOrders(world, firsts, resumed),
    ...brokenBySession(world, last),
    ...brokenBySignIns(world, firsts, stored),
    ...brokenBySettings(world, firsts),
    ...brokenByMachine(world),
  ];
  world.giveBack();
  return { world, broken };
}

/** A folder of the state is a link to somebody's photos, or another user's. */
function setTrap({ disk, story }: World, trap: Plan["trap"]): void {
  if (trap === undefined) return;
  if (trap === "foreign locks") {
    disk.put(`${home}/locks`, { uid: 2000 });
    story.push("The folder of the locks belongs to another user");
  } else {
    disk.putLink(`${home}/${trap}`, "/home/ana/photos");
    story.push(`${trap} is a link to a folder of photos`);
  }
}

function resume(world: World, first: Process): Process | undefined {
  if (first.task.kind !== "many" || first.exitCode === 0) return undefined;
  const process = world.start(
    first.task,
    first.orders,
    resumedLine(lineOf(first.task, first.orders, first.index ?? 0)),
  );
  world.run();
  return process;
}

function* brokenByOrders(
  world: World,
  firsts: readonly Process[],
  resumed: readonly (Process | undefined)[],
): Generator<string> {
  const { service, met } = world;
  for (const [index, first] of firsts.entries()) {
    if (first.task.kind === "again") continue;
    const again = firsts.filter(({ task }) => index === 0 && task.kind === "again");
    const chain = [first, ...again, resumed[index]].filter((process) => process !== undefined);
    for (const order of first.orders) {
      const receipts = service.receipts.filter((receipt) => receipt.order === order);
      const repeated = receipts
        .slice(0, -1)
        .filter(({ verb, refusalArrived }) => verb !== "driver" && !refusalArrived);
      if (repeated.length > 0) yield `Order ${order} was sent ${receipts.length} times.`;
      for (const [place, process] of chain.entries()) {
        const senders = chain.slice(0, place + 1).map(({ name }) => name);
        const isDone = receipts.some(({ sender, processed }) => processed && senders.includes(sender));
        const told = process.rows().find((row) => row.order_id === order)?.outcome;
        const done = process.exitCode === 0 ? "done" : told;
        if (done === "done" && !isDone) yield `${process.name} told order ${order} as done, and it is not.`;
        if (told !== undefined && ["failed", "skipped", "refused"].includes(told) && isDone)
          yield `${process.name} told order ${order} as ${told}, and it is done.`;
        if (told === "unknown" && met.size === 0)
          yield `Order ${order} is unknown, though nothing went wrong.`;
      }
    }
    yield* brokenByExit(world, first);
  }
}

/** A lone change ends with the exit code of its outcome: 9 is "it may be done", 143 is the signal's. */
function* brokenByExit({ service }: World, { name, task, orders, exitCode }: Process): Generator<string> {
  if (!["one", "assign", "prefill"].includes(task.kind) || exitCode === undefined) return;
  const isDone = service.receipts.some(
    ({ order, sender, processed }) => processed && sender === name && orders[0] === order,
  );
  if (isDone && ![0, 9, 143].includes(exitCode))
    yield `${name} ended with ${exitCode}, and order ${orders[0] ?? ""} is done.`;
}

/** What was told as set is in the file, whoever else has written to it: a success, and a lock that let others wait. */
function* brokenBySettings({ disk }: World, firsts: readonly Process[]): Generator<string> {
  for (const { task, name, exitCode, index } of firsts) {
    if (task.kind !== "settings" || exitCode !== 0) continue;
    const { path, value } = settingOf(task, index ?? 0);
    const set = path.reduce<unknown>(memberOf, parseJson(textOf(disk, `${home}/settings.json`)));
    if (set !== value)
      yield `${name} told that ${path.join(".")} is set, and it is ${set === undefined ? "not there" : JSON.stringify(set)}.`;
  }
}

function memberOf(data: unknown, name: string): unknown {
  return isObject(data) ? data[name] : undefined;
}

function textOf(disk: World["disk"], file: string): string {
  try {
    return disk.readText(disk.open(uid, file, openFlags.read, 0));
  } catch {
    return "";
  }
}

function* brokenBySession(world: World, last: Process): Generator<string> {
  const { service, cutShort, plan } = world;
  if (plan.trap !== undefined) return;
  const excused = service.renewals.some((sender) => cutShort.has(sender));
  if (excused) return;
  if (service.reused > 0) yield "A refresh token was used twice.";
  if (plan.tasks.some(({ kind }) => kind === "logout")) return;
  if (last.exitCode !== 0)
    yield `The session is lost: the last command ends with ${last.exitCode ?? "?"}. ${last.stderr}`;
}

/** A session as it lies on the disk, and the sign-in that its tokens came of. */
interface Stored {
  readonly store: string;
  readonly signIn: SignIn | undefined;
}

function storedSessions({ disk, service }: World): readonly Stored[] {
  return aliases.flatMap((store) => {
    const tokens = memberOf(parseJson(textOf(disk, `${home}/${sessionFile(store)}`)), "tokens");
    const token = memberOf(tokens, "refresh_token");
    return typeof token === "string" ? [{ store, signIn: service.signInOf(token) }] : [];
  });
}

/** What was told of the store's sign-in is true, whoever else has renewed, renamed or ended it. */
function* brokenBySignIns(
  { plan, met, service }: World,
  firsts: readonly Process[],
  stored: readonly Stored[],
): Generator<string> {
  if (plan.trap !== undefined) return;
  const told = (kind: Task["kind"]) =>
    firsts.filter(({ task, exitCode }) => task.kind === kind && exitCode === 0);
  const isIn = (kind: Task["kind"]) => plan.tasks.some((task) => task.kind === kind);
  if (new Set(stored.map(({ signIn }) => signIn)).size < stored.length)
    yield "Two stores have one sign-in: each would use up the other's token.";
  const [signedIn] = told("login");
  if (signedIn && !isIn("logout") && stored.every(({ signIn }) => signIn?.by === undefined))
    yield `${signedIn.name} told of a new sign-in, and the old one is stored.`;
  const [renamed] = told("rename");
  if (renamed && !isIn("login") && !isIn("logout") && stored.map(({ store }) => store).join() !== aliases[1])
    yield `${renamed.name} told of a new name, and there is: ${stored.map(({ store }) => store).join(", ") || "none"}.`;
  if (isIn("login") || met.has("full") || met.has("EIO")) return;
  // A second logout finds no tokens that it could revoke, also where the first one couldn't.
  const revoking = told("logout").filter(({ stdout }) => stdout.includes('"revoked":true'));
  for (const { name } of revoking)
    if (service.firstHolds) yield `${name} told that the tokens are revoked, and they are not.`;
  const [left] = stored;
  for (const { name } of told("logout"))
    if (left) yield `${name} told that it is signed out, and ${left.store} is stored.`;
}

function* brokenByMachine(world: World): Generator<string> {
  const { disk, endless, processes, service, met, plan, outlasted } = world;
  for (const file of new Set(disk.changedOutside))
    yield `${file} was changed, which lies outside of comanda's folder.`;
  if (endless) yield "A command does not end.";
  for (const { name, exitCode, stderr } of processes)
    if (exitCode === 1) yield `${name} has a fault of its own: ${stderr}`;
  const counts = !["power", "full", "EIO"].some((trouble) => met.has(trouble)) && plan.trap === undefined;
  // Who can't get at the ledger, since a process that stands still has its lock, counts for itself and says so.
  const saidSo = processes.some(({ stderr }) => stderr.includes("counted for this run alone"));
  // A process that was at work before goes on to count for the old name.
  const isRenamed = plan.tasks.some(({ kind }) => kind === "rename");
  const tooMany = service.overLimit - outlasted;
  if (counts && !saidSo && !isRenamed && tooMany > 0) yield `The service saw ${tooMany} requests too many.`;
}

/** The story of a world, numbered, as a person reads it. */
export function tell({ world, broken }: Played): string {
  return [
    ...world.story.map((line, index) => `${index + 1}. ${line}`),
    ...broken.map((line) => `=> ${line}`),
  ].join("\n");
}
