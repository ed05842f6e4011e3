/** The journal at the wire: what is on the disk at the moment that a request goes out. */
import { statSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import type { HttpAnswer, HttpRequest } from "../../../src/client/http/transport.js";
import { TransportError } from "../../../src/client/http/transport.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { describeWrite } from "../../../src/state/journal/describe-write.js";
import type { JournalEntry } from "../../../src/state/journal/entries.js";
import { journalFiles, openJournalFile } from "../../../src/state/journal/journal-files.js";
import { openJournal, type JournalOptions } from "../../../src/state/journal/journal.js";
import { journaledTransport } from "../../../src/state/journal/journaled-transport.js";
import { beginRun, openRun, readRun, type FoundRun } from "../../../src/state/journal/runs.js";
import { digestOf, stepOf } from "../../../src/state/journal/resume.js";
import { openState, temporaryFolder } from "../support/folder.js";

const baseUrl = "https://api.example/prefix";
const post = (path: string, body?: string): HttpRequest => ({
  method: "POST",
  url: `${baseUrl}${path}`,
  headers: { authorization: "Bearer at_secret" },
  ...(body !== undefined && { body }),
});
const orderPath = (order: string, verb: string) => `/api/partner/v1/orders/${order}/${verb}`;
const noContent: HttpAnswer = { status: 204, headers: {}, body: "" };

let state: ReturnType<typeof openState>;
beforeEach(() => {
  state = openState(temporaryFolder());
});
const entries = (): JournalEntry[] =>
  journalFiles(state).flatMap((file) => [...openJournalFile(state, file).read()]);

function open(
  answer: (request: HttpRequest) => HttpAnswer | TransportError,
  more: Partial<JournalOptions> = {},
) {
  const linesAtSend: string[][] = [];
  const journal = openJournal({ state, place: { store: "centro", environment: "test" }, ...more });
  const transport = journaledTransport(
    {
      send: (request) => {
        linesAtSend.push(entries().map(({ type }) => type));
        const result = answer(request);
        return result instanceof TransportError ? Promise.reject(result) : Promise.resolve(result);
      },
      close: () => Promise.resolve(),
    },
    journal,
    baseUrl,
  );
  return { journal, transport, linesAtSend };
}

describe("describeWrite", () => {
  test.each([
    ["POST", orderPath("4711", "dispatch"), undefined, "dispatchOrder", "4711", {}],
    ["POST", orderPath("4711", "delivered"), undefined, "deliverOrder", "4711", {}],
    ["POST", orderPath("a%2Fb", "finalize"), undefined, "finalizeOrder", "a/b", {}],
    [
      "POST",
      orderPath("1", "cancel/"),
      '{"cancellation_reason":"late","phone":"1"}',
      "cancelOrder",
      "1",
      { reason: "late" },
    ],
    ["POST", orderPath("1", "cancel?x=secret"), "", "cancelOrder", "1", {}],
    ["POST", "/api/partner/v1//orders//1/%63ancel.json", "", "cancelOrder", "1", {}],
    [
      "PUT",
      orderPath("1", "driver"),
      '{"driver_id":2,"driver_fee":7.50}',
      "assignDriver",
      "1",
      { driver_id: 2, driver_fee: 7.5 },
    ],
    [
      "PUT",
      orderPath("1", "driver"),
      '{"driver_id":2,"driver_fee":null}',
      "assignDriver",
      "1",
      { driver_id: 2, driver_fee: null },
    ],
    [
      "POST",
      "/api/partner/v1/orders/prefilled_order",
      '{"order_type":"takeout","cart":[{},{}],"customer":{"name":"M"}}',
      "createPrefilledOrder",
      null,
      { order_type: "takeout", items: 2 },
    ],
    [
      "POST",
      orderPath("1", "accept"),
      '{"name":"M"}',
      "request",
      "1",
      { method: "POST", path: orderPath("1", "accept") },
    ],
    [
      "DELETE",
      "/api/partner/v1/coupons/7?a=b",
      undefined,
      "request",
      null,
      { method: "DELETE", path: "/api/partner/v1/coupons/7" },
    ],
  ] as const)("%s %s with %s", (method, place, body, operation, order, given) => {
    expect(describeWrite({ ...post(place, body), method }, baseUrl)).toEqual({
      operation,
      order_id: order,
      arguments: given,
    });
  });

  test.each(["GET", "HEAD"] as const)("%s changes nothing", (method) => {
    expect(describeWrite({ ...post(orderPath("1", "dispatch")), method }, baseUrl)).toBeUndefined();
  });
});

describe("a transport with a journal", () => {
  test("has the line on the disk before it sends, and the outcome after", async () => {
    const { transport, linesAtSend } = open(() => noContent, { actor: "ana" });
    await transport.send(post(orderPath("1", "dispatch")));
    await transport.close();
    expect(linesAtSend).toEqual([["sent"]]);
    expect(entries()).toMatchObject([
      { type: "sent", operation: "dispatchOrder", order_id: "1", attempt: 1, store: "centro", actor: "ana" },
      {
        type: "outcome",
        operation: "dispatchOrder",
        order_id: "1",
        attempt: 1,
        outcome: "done",
        http_status: 204,
      },
    ]);
    expect(JSON.stringify(entries())).not.toContain("at_secret");
    const [file] = journalFiles(state);
    expect(statSync(file?.path ?? "").mode & 0o777).toBe(0o600);
  });

  test("numbers the attempts of a call, and leaves those of others alone", async () => {
    const answers = [
      { status: 429, headers: {}, body: "" },
      new TransportError("refused", false, "refused"),
      { status: 204, headers: {}, body: "" },
    ];
    const { transport } = open(({ url }) =>
      url.includes("/2/") ? noContent : (answers.shift() ?? noContent),
    );
    for (let attempt = 0; attempt < 3; attempt += 1)
      await transport.send(post(orderPath("1", "dispatch"))).catch(() => undefined);
    await transport.send(post(orderPath("2", "dispatch")));
    await transport.close();
    expect(
      entries().flatMap((each) =>
        each.type === "outcome" ? [[each.order_id, each.attempt, each.outcome]] : [],
      ),
    ).toEqual([
      ["1", 1, "refused"],
      ["1", 2, "failed"],
      ["1", 3, "done"],
      ["2", 1, "done"],
    ]);
  });

  test("sends nothing where the line can't be written", async () => {
    const { transport, linesAtSend } = open(() => noContent);
    const failing = { ...state, files: { ...state.files, openToAppend: full } };
    state = failing;
    const { transport: refusing, linesAtSend: sent } = open(() => noContent);
    await expect(refusing.send(post(orderPath("1", "dispatch")))).rejects.toMatchObject({
      code: "state_unusable",
    });
    expect([sent, linesAtSend]).toEqual([[], []]);
    await refusing.send({ ...post(orderPath("1", "dispatch")), method: "GET" });
    expect(sent).toHaveLength(1);
    await transport.close();
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
    const { transport } = open(() => {
      isFull = true;
      return noContent;
    });
    await expect(transport.send(post(orderPath("1", "dispatch")))).resolves.toEqual(noContent);
    await transport.close();
    expect(warnings).toEqual([expect.stringContaining("unknown to `comanda history`")]);
    expect(entries()).toMatchObject([{ type: "sent" }]);
  });

  test.each([
    ["a full disk", "ENOSPC", 0],
    ["a folder that can't be had", "EACCES", 1],
  ])("of a machine without state: %s", async (_, code, sends) => {
    state = { ...state, files: { ...state.files, openToAppend: () => unwritable(code) } };
    const { transport, linesAtSend } = open(() => noContent, { folderMayLack: true });
    await transport.send(post(orderPath("1", "dispatch"))).catch(() => undefined);
    await transport.close();
    expect(linesAtSend).toHaveLength(sends);
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
    const { journal, transport } = open(({ url }) => {
      const order = /orders\/(\d+)/.exec(url)?.[1] ?? "";
      sentAt.set(order, entries().length);
      return Number(order) % 7 === 3 ? { status: 429, headers: {}, body: "" } : noContent;
    });
    const file = openRun(journal);
    const run = await beginRun(
      journal,
      file,
      { verb: "dispatch", operation: "dispatchOrder", digest: digestOf(orders) },
      orders,
    );
    for (let from = 0; from < orders.length; from += 4) {
      await Promise.all(
        orders.slice(from, from + 4).map(async (order, index) => {
          await run.log.release(from + index);
          await transport.send(post(orderPath(order, "dispatch")));
        }),
      );
    }
    await transport.close();
    const lines = entries();
    const entry = lines.find((line) => line.type === "run");
    if (!entry) throw new Error("there is no run");
    const found: FoundRun = { entry, file: file.file };
    for (let cut = 3; cut <= lines.length; cut += 1) {
      const folder = temporaryFolder();
      const cutState = openState(folder);
      const copy = { ...file.file, path: path.join(folder, "journal", path.basename(file.file.path)) };
      const log = openJournalFile(cutState, copy);
      for (const line of lines.slice(0, cut)) log.appendSync(line, { durable: false });
      const { progress } = readRun(cutState, { ...found, file: copy });
      for (const order of orders) {
        const wasOut = (sentAt.get(order) ?? Infinity) <= cut;
        const step = stepOf(progress.earlier.get(order), false);
        const isLimited = Number(order) % 7 === 3;
        if (wasOut && step.kind === "send") expect([order, isLimited]).toEqual([order, true]);
        if (!wasOut && cut < (sentAt.get(order) ?? 0) - 2) expect(step.kind).toBe("send");
      }
    }
  });
});
