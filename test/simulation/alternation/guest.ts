/** What runs inside of a simulated process: the modules of `src/state`, over a machine whose calls go to the simulation. */
import path from "node:path";

import { createAccessTokenSource } from "../../../src/auth/access-token.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { openAppendLog, type AppendLog } from "../../../src/state/files/append-log.js";
import { clearHistory } from "../../../src/state/journal/clear-history.js";
import { journalFiles, openJournalFile } from "../../../src/state/journal/journal-files.js";
import { openJournal } from "../../../src/state/journal/journal.js";
import { unlessSent } from "../../../src/state/journal/runs.js";
import { createCriticalSections } from "../../../src/state/locks/critical-sections.js";
import { openSessions } from "../../../src/state/sessions/sessions.js";
import { openSettings } from "../../../src/state/settings/settings.js";
import { openStateFolder, type StateFolder } from "../../../src/state/state-folder.js";
import { clockOf, diskOf, processesOf, transportOf } from "../guest-devices.js";
import type { Hooks } from "../guest.js";
import { useDisk } from "../simulated-fs.js";
import type { Start, Told } from "./messages.js";
import type { Work } from "./plan.js";

/** What a process works with. */
interface Desk {
  readonly hooks: Hooks;
  readonly state: StateFolder;
  readonly tell: (told: Told) => void;
  /** Nobody else's, and another one each time. */
  readonly mark: () => string;
}

/** @throws what is a fault of the program's own */
export async function begin(hooks: Hooks, { id, works }: Start, tell: (told: Told) => void): Promise<void> {
  const disk = diskOf(hooks);
  useDisk(disk);
  const critical = createCriticalSections();
  const state = openStateFolder({
    folder: hooks.home,
    clock: clockOf(hooks),
    process: { pid: hooks.pid, platform: "linux", getuid: () => hooks.uid, kill: () => true },
    system: {
      disk,
      random: { bytes: (count) => hooks.bytes(count), fraction: () => hooks.fraction() },
    },
    table: processesOf(hooks),
    criticalSections: critical,
    warn: (message) => tell({ told: "warned", message }),
  });
  let marks = 0;
  const desk = { hooks, state, tell, mark: () => `${id}-${(marks += 1)}` };
  for (const work of works) {
    try {
      await doWork(desk, work);
    } catch (error) {
      if (!(error instanceof ComandaError) || error.code === "internal") throw error;
      tell({ told: "refused", name: work.kind, code: error.code, message: error.message });
    }
  }
  await critical.idle();
  hooks.exit(0);
}

function doWork(desk: Desk, work: Work): Promise<void> {
  switch (work.kind) {
    case "count":
      return count(desk, work.waits);
    case "append":
      return append(desk, work);
    case "read lines":
      return readLines(desk);
    case "send orders":
      return sendOrders(desk, work.orders);
    case "read journal":
      return readJournal(desk);
    case "clear history":
      return clearJournal(desk);
    case "sign in":
      return signIn(desk);
    case "renew":
      return renew(desk, work.store);
    case "rename":
      return rename(desk, work);
    case "list sessions":
      return listSessions(desk);
    case "set":
      return set(desk);
    case "read settings":
      return readSettings(desk);
  }
}

/** "for long": so long that a holder which isn't heard of meanwhile is taken for dead. */
const waitMs = { no: 0, "a moment": 5, "for long": 20_000 };

async function count({ state, tell }: Desk, waits: keyof typeof waitMs): Promise<void> {
  const file = path.join(state.path, "counter");
  await state.locks.run("counter", async ({ assertHeld }) => {
    tell({ told: "enters" });
    try {
      const next = String(Number(state.files.read(file) ?? "0") + 1);
      if (waits !== "no") await state.clock.sleep(waitMs[waits]);
      state.files.write(file, next, { durable: false, before: assertHeld });
      tell({ told: "wrote", name: "counter", value: next });
    } finally {
      tell({ told: "leaves" });
    }
  });
}

interface Line {
  readonly mark: string;
}

function linesOf({ state }: Desk): AppendLog<Line> {
  return openAppendLog<Line>(state.files, path.join(state.path, "lines.jsonl"), {
    parse: ({ mark }) => (typeof mark === "string" ? { mark } : undefined),
  });
}

async function append(desk: Desk, { entries, way }: Work & { readonly kind: "append" }): Promise<void> {
  const log = linesOf(desk);
  const marks = Array.from({ length: entries }, () => desk.mark());
  const told = (mark: string) => desk.tell({ told: "wrote", name: "line", value: mark });
  if (way === "together") await Promise.all(marks.map((mark) => log.append({ mark }).then(() => told(mark))));
  else
    for (const mark of marks) {
      log.appendSync({ mark });
      told(mark);
    }
}

function readLines(desk: Desk): Promise<void> {
  desk.tell({ told: "reads", name: "line" });
  const read = linesOf(desk).read();
  const values = Array.from(read, ({ mark }) => mark);
  desk.tell({ told: "read", name: "line", values });
  desk.tell({ told: "read", name: "torn lines", values: Array.from({ length: read.skipped }, () => "torn") });
  return Promise.resolve();
}

async function sendOrders({ state, tell, mark }: Desk, orders: number): Promise<void> {
  const journal = openJournal({ state, place: { store: "centro", environment: "local" } });
  for (let each = 0; each < orders; each += 1) {
    const order = mark();
    const row = journal.row({ operation: "dispatchOrder", order_id: order, arguments: {} }, each + 1);
    await row.sent(1);
    tell({ told: "wrote", name: "order", value: order });
    row.outcome(1, { outcome: "done", http_status: 204, code: null, evidence: "api" });
  }
  await journal.close();
}

function readJournal({ state, tell }: Desk): Promise<void> {
  tell({ told: "reads", name: "order" });
  const owners = new Map<string, string>();
  const orders = journalFiles(state).flatMap((file) =>
    [...openJournalFile(state, file).read()].flatMap((entry) => {
      if (entry.type !== "sent") return [];
      const order = entry.order_id ?? "";
      const [pid = ""] = order.split("-");
      if ((owners.get(entry.run) ?? pid) !== pid) throw new Error(`two processes have the run ${entry.run}`);
      owners.set(entry.run, pid);
      return [order];
    }),
  );
  // A line may have been written again.
  tell({ told: "read", name: "order", values: [...new Set(orders)] });
  return Promise.resolve();
}

/** All that is there by the time it has looked: every clock is behind the one by which it judges. */
async function clearJournal({ state, tell }: Desk): Promise<void> {
  await clearHistory(state, Infinity, (runs, work) => {
    tell({ told: "clears", name: "order" });
    return unlessSent(state, runs, work);
  });
}

/** Of the one store, at first. */
const alias = "centro";

async function signIn({ hooks, state }: Desk): Promise<void> {
  const session = {
    version: 1 as const,
    store: alias,
    environment: {
      name: "local",
      base_url: "https://service.example",
      auth_url: "https://service.example/authorize",
      client_id: "comanda",
      redirect_uri: "http://127.0.0.1:8765/callback",
    },
    signed_in_at: hooks.now(),
    tokens: {
      access_token: "access-0",
      refresh_token: "refresh-0",
      expires_at: hooks.now() - 1000,
      generation: 1,
    },
  };
  await openSessions(state).update(alias, () => Promise.resolve(session));
}

async function renew({ hooks, state, tell }: Desk, store: string): Promise<void> {
  const sessions = openSessions(state);
  const session = await sessions.read(store);
  if (!session) return;
  const tools = { sessions, transport: transportOf(hooks), clock: state.clock, pid: hooks.pid };
  const source = createAccessTokenSource({ ...tools, session, jitter: () => hooks.fraction() });
  const token = await source.fresh();
  tell({ told: "wrote", name: "token", value: token });
}

async function rename(
  { state, tell }: Desk,
  { from, to }: Work & { readonly kind: "rename" },
): Promise<void> {
  await openSessions(state).rename(from, to);
  tell({ told: "wrote", name: "alias", value: to });
}

async function listSessions({ state, tell }: Desk): Promise<void> {
  tell({ told: "reads", name: "token" });
  const listed = await openSessions(state).list();
  const broken = listed.find((each) => "error" in each);
  if (broken && "error" in broken) throw broken.error;
  const tokens = listed.map((each) => ("tokens" in each && each.tokens ? each.tokens.access_token : ""));
  tell({ told: "read", name: "token", values: tokens });
}

async function set({ state, tell, mark }: Desk): Promise<void> {
  const store = mark();
  await openSettings(state).update((settings) => ({
    ...settings,
    stores: { ...settings.stores, [store]: { currency: "BRL" } },
  }));
  tell({ told: "wrote", name: "setting", value: store });
}

async function readSettings({ state, tell }: Desk): Promise<void> {
  tell({ told: "reads", name: "setting" });
  const { stores = {} } = await openSettings(state).read();
  tell({ told: "read", name: "setting", values: Object.keys(stores) });
}
