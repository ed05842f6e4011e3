/** The journal of a client's calls: what is on the disk at the moment that a request goes out. */
import { statSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import {
  createClient,
  TransportError,
  type AnyRequest,
  type HttpRequest,
} from "../../../src/client/index.js";
import { ComandaError } from "../../../src/shared/errors.js";
import type { JournalEntry } from "../../../src/state/journal/entries.js";
import { journalFiles, openJournalFile } from "../../../src/state/journal/journal-files.js";
import { openJournal, type JournalOptions } from "../../../src/state/journal/journal.js";
import { journalObserver } from "../../../src/state/journal/journal-observer.js";
import { beginRun, openRun, readRun, type FoundRun } from "../../../src/state/journal/runs.js";
import { digestOf, stepOf } from "../../../src/state/journal/resume.js";
import { jumpingClock } from "../../client/support/clock.js";
import { openState, temporaryFolder } from "../support/folder.js";

const orderPath = (order: string, verb: string) => `/api/partner/v1/orders/${order}/${verb}`;
const noContent = { status: 204, headers: {}, body: "" };
const busy = { status: 429, headers: {}, body: "" };
type Answer = typeof noContent | TransportError;

let state: ReturnType<typeof openState>;
beforeEach(() => {
  state = openState(temporaryFolder());
});
const entries = (): JournalEntry[] =>
  journalFiles(state).flatMap((file) => [...openJournalFile(state, file).read()]);

function open(
  answer: (request: HttpRequest) => Answer,
  { maxWaitMs = 1_000_000, ...more }: Partial<JournalOptions> & { readonly maxWaitMs?: number } = {},
) {
  const linesAtSend: string[][] = [];
  const journal = openJournal({ state, place: { store: "centro", environment: "test" }, ...more });
  const client = createClient({
    baseUrl: "https://api.example/prefix",
    credentials: { bearer: () => Promise.resolve("at_secret"), apiKey: () => Promise.resolve("key_secret") },
    rateLimiter: false,
    clock: jumpingClock(),
    maxWaitMs,
    observer: journalObserver(journal),
    transport: {
      send: (request) => {
        linesAtSend.push(entries().map(({ type }) => type));
        const result = answer(request);
        return result instanceof TransportError ? Promise.reject(result) : Promise.resolve(result);
      },
      close: () => Promise.resolve(),
    },
  });
  return { journal, client, linesAtSend };
}

describe("what the journal says of a call", () => {
  const order = { method: "POST", path: orderPath("4711", "dispatch") } as const;
  test.each<[AnyRequest, string, string | null, object]>([
    [order, "dispatchOrder", "4711", {}],
    [{ ...order, path: orderPath("4711", "delivered") }, "deliverOrder", "4711", {}],
    [{ ...order, path: orderPath("a%2Fb", "finalize") }, "finalizeOrder", "a/b", {}],
    [
      { ...order, path: orderPath("1", "cancel/"), body: '{"cancellation_reason":"late","phone":"1"}' },
      "cancelOrder",
      "1",
      { reason: "late" },
    ],
    [{ ...order, path: orderPath("1", "cancel?x=secret"), body: "" }, "cancelOrder", "1", {}],
    [{ ...order, path: "/api/partner/v1//orders//1/%63ancel.json" }, "cancelOrder", "1", {}],
    [
      { method: "PUT", path: orderPath("1", "driver"), body: '{"driver_id":2,"driver_fee":7.50}' },
      "assignDriver",
      "1",
      { driver_id: 2, driver_fee: 7.5 },
    ],
    [
      { method: "PUT", path: orderPath("1", "driver"), body: '{"driver_id":2,"driver_fee":null}' },
      "assignDriver",
      "1",
      { driver_id: 2, driver_fee: null },
    ],
    [
      {
        method: "POST",
        path: "/api/partner/v1/orders/prefilled_order",
        body: '{"order_type":"takeout","cart":[{},{}],"customer":{"name":"M"}}',
      },
      "createPrefilledOrder",
      null,
      { order_type: "takeout", items: 2 },
    ],
    [
      {
        method: "PUT",
        path: orderPath("1", "driver"),
        body: new TextEncoder().encode('\ufeff{"driver_id":2,"driver_fee":7.50}'),
      },
      "assignDriver",
      "1",
      { driver_id: 2, driver_fee: 7.5 },
    ],
    [
      { ...order, path: orderPath("1", "accept"), body: '{"name":"M"}' },
      "request",
      "1",
      { method: "POST", path: orderPath("1", "accept") },
    ],
    [
      { ...order, path: orderPath("1", "annul"), body: '{"cancellation_reason":"late","name":"M"}' },
      "request",
      "1",
      { method: "POST", path: orderPath("1", "annul"), reason: "late" },
    ],
    [
      { method: "DELETE", path: "/api/partner/v1/coupons/7?a=b" },
      "request",
      null,
      { method: "DELETE", path: "/api/partner/v1/coupons/7" },
    ],
  ])("%j", async (request, operation, order_id, given) => {
    const { client, journal } = open(() => noContent);
    await client.request(request);
    await journal.close();
    expect(entries()[0]).toMatchObject({ type: "sent", operation, order_id, arguments: given });
  });

  test.each(["GET", "HEAD"] as const)("%s changes nothing", async (method) => {
    const { client, journal } = open(() => noContent);
    await client.request({ ...order, method });
    await journal.close();
    expect(entries()).toEqual([]);
  });
});

describe("a client with a journal", () => {
  test("has the line on the disk before it sends, and the outcome after", async () => {
    const { client, journal, linesAtSend } = open(() => noContent, { actor: "ana" });
    await client.dispatchOrder("1");
    await journal.close();
    const what = { operation: "dispatchOrder", order_id: "1", attempt: 1 };
    expect(linesAtSend).toEqual([["sent"]]);
    expect(entries()).toMatchObject([
      { type: "sent", ...what, store: "centro", actor: "ana" },
      { type: "outcome", ...what, outcome: "done", http_status: 204 },
    ]);
    expect(JSON.stringify(entries())).not.toContain("secret");
    const [file] = journalFiles(state);
    expect(statSync(file?.path ?? "").mode & 0o777).toBe(0o600);
  });

  test("numbers the attempts of each call, also of two that are the same", async () => {
    const answers: Answer[] = [busy, new TransportError("refused", false, "refused"), noContent];
    const { client, journal } = open(({ url }) =>
      url.includes("/2/") ? noContent : (answers.shift() ?? noContent),
    );
    await client.dispatchOrder("1");
    await client.dispatchOrder("1");
    await client.dispatchOrder("2");
    await journal.close();
    expect(
      entries().flatMap((each) =>
        each.type === "outcome" ? [[each.order_id, each.call, each.attempt, each.outcome]] : [],
      ),
    ).toEqual([
      ["1", 1, 1, "refused"],
      ["1", 1, 2, "failed"],
      ["1", 1, 3, "done"],
      ["1", 2, 1, "done"],
      ["2", 3, 1, "done"],
    ]);
  });

  test("says of each request what its call has come to by then", async () => {
    const order = { ...noContent, status: 200, body: '{"id":1}' };
    const answers: Answer[] = [new TransportError("reset", true, "reset"), busy, order];
    const { client, journal } = open(() => answers.shift() ?? noContent);
    await client.assignDriver("1", { driver_id: 2 });
    await journal.close();
    expect(entries().flatMap((each) => (each.type === "outcome" ? [each.outcome] : []))).toEqual([
      "unknown",
      "unknown",
      "done",
    ]);
  });

  test("sends nothing where the line can't be written", async () => {
    state = { ...state, files: { ...state.files, openToAppend: full } };
    const { client, linesAtSend } = open(() => noContent);
    await expect(client.dispatchOrder("1")).rejects.toMatchObject({ code: "state_unusable", attempts: 0 });
    expect(linesAtSend).toEqual([]);
    await client.request({ method: "GET", path: orderPath("1", "dispatch") });
    expect(linesAtSend).toHaveLength(1);
  });

  test("tells the truth where the disk is full after the request", async () => {
    let isFull = false;
    const { files } = state;
    const warnings: string[] = [];
    state = {
      ...state,
      files: { ...files, openToAppend: (file) => (isFull ? full() : files.openToAppend(file)) },
      warn: (message) => void warnings.push(message),
    };
    const { client, journal } = open(() => {
      isFull = true;
      return noContent;
    });
    await expect(client.dispatchOrder("1")).resolves.toMatchObject({ httpStatus: 204 });
    await journal.close();
    expect(warnings).toEqual([expect.stringContaining("unknown to `comanda history`")]);
    expect(entries()).toMatchObject([{ type: "sent" }]);
  });

  test.each([
    ["a full disk", "ENOSPC", 0],
    ["a folder that can't be had", "EACCES", 1],
  ])("of a machine without state: %s", async (_, code, sends) => {
    state = { ...state, files: { ...state.files, openToAppend: () => unwritable(code) } };
    const { client, linesAtSend } = open(() => noContent, { folderMayLack: true });
    await client.dispatchOrder("1").catch(() => undefined);
    expect(linesAtSend).toHaveLength(sends);
  });

  test("that runs for months begins a run each day, in the file of its month", async () => {
    const clock = jumpingClock(Date.parse("2026-11-30T23:59:00Z"));
    state = { ...state, clock };
    const { client, journal } = open(() => noContent);
    await client.dispatchOrder("1");
    await clock.sleep(120_000);
    await client.dispatchOrder("2");
    await journal.close();
    expect(journalFiles(state).map(({ month }) => month)).toEqual(["2026-12", "2026-11"]);
    expect(new Set(entries().map(({ run }) => run.slice(0, 8)))).toEqual(new Set(["20261201", "20261130"]));
  });
});

function full(): never {
  return unwritable("ENOSPC");
}

function unwritable(code: string): never {
  throw new ComandaError("state_unusable", "can't be written", {
    cause: Object.assign(new Error(code), { code }),
  });
}

describe("a run", () => {
  test("cut off at any line never sends an order again that may be done", async () => {
    const orders = Array.from({ length: 40 }, (_, index) => String(index));
    const sentAt = new Map<string, number>();
    const { journal, client } = open(
      ({ url }) => {
        const order = /orders\/(\d+)/.exec(url)?.[1] ?? "";
        sentAt.set(order, entries().length);
        return Number(order) % 7 === 3 ? busy : noContent;
      },
      { maxWaitMs: 0 },
    );
    const file = openRun(journal);
    await beginRun(
      journal,
      file,
      { verb: "dispatch", operation: "dispatchOrder", digest: digestOf(orders) },
      orders,
    );
    for (let from = 0; from < orders.length; from += 4) {
      await Promise.all(
        orders.slice(from, from + 4).map((order) => client.dispatchOrder(order).catch(() => undefined)),
      );
    }
    await journal.close();
    const lines = entries();
    const entry = lines.find((line) => line.type === "run");
    if (!entry) throw new Error("there is no run");
    const found: FoundRun = { entry, file: file.file };
    for (let cut = 3; cut <= lines.length; cut += 1) {
      const folder = temporaryFolder();
      const cutState = openState(folder);
      const copy = { ...file.file, path: path.join(folder, "journal", path.basename(file.file.path)) };
      const log = openJournalFile(cutState, copy);
      await Promise.all(lines.slice(0, cut).map((line) => log.append(line)));
      const { earlier } = readRun(cutState, { ...found, file: copy });
      for (const order of orders) {
        const wasOut = (sentAt.get(order) ?? Infinity) <= cut;
        const step = stepOf(earlier.get(order), false);
        const isLimited = Number(order) % 7 === 3;
        if (wasOut && step.kind === "send") expect([order, isLimited]).toEqual([order, true]);
        if (!wasOut && cut < (sentAt.get(order) ?? 0) - 2) expect(step.kind).toBe("send");
      }
    }
  });
});
