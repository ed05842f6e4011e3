import { describe, expect, test } from "vitest";

import { parseFault } from "../../src/emulator/http/faults/fault.js";

describe("the short spelling of a fault", () => {
  test.each([
    [
      "status=503,path=/dispatch,times=2",
      { kind: "status", status: 503, match: { path: "/dispatch" }, times: 2 },
    ],
    ["reset", { kind: "reset", when: "before", match: {} }],
    [
      "reset,when=after,operation=assignDriver,after=3",
      { when: "after", after: 3, match: { operation: "assignDriver" } },
    ],
    ["delay=250,method=POST", { kind: "delay", ms: 250, match: { method: "POST" } }],
    ["rate_limit", { kind: "rate_limit" }],
    ["rate_limit=30", { kind: "rate_limit", retry_after: 30 }],
    ["redirect=http://127.0.0.1:1/x?a=b", { kind: "redirect", location: "http://127.0.0.1:1/x?a=b" }],
    ["html=502", { kind: "html", status: 502 }],
    ["status=500,body=500,content_type=text/plain", { status: 500, body: "500", content_type: "text/plain" }],
    ["oversize=20000000", { kind: "oversize", bytes: 20_000_000 }],
    [" hang , path=/cancel", { kind: "hang" }],
  ])("%s", (text, fault) => {
    expect(parseFault(text)).toMatchObject(fault);
  });

  test.each([
    "",
    "fire",
    "times=2",
    "status",
    "status=abc",
    "status=99",
    "reset=1",
    "delay",
    "delay=-5",
    "reset,hang",
    "status=500,status=501",
    "status=502,html",
    "reset,times=0",
    "reset,times=many",
    "reset,when=later",
    "reset,operation=nothing",
    "reset,path",
    "reset,path=",
    "reset,,times=1",
  ])("is refused with a reason: %j", (text) => {
    expect(() => parseFault(text)).toThrow(SyntaxError);
  });
});
