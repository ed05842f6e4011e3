import { describe, expect, test } from "vitest";

import { readFault } from "../../src/emulator/http/faults.js";
import type { FaultInput } from "../../src/emulator/inputs.js";

describe("a fault as a text and as an object", () => {
  test.each([
    ["status=503,path=/dispatch,times=2", { status: 503, path: "/dispatch", times: 2 }],
    ["reset", { reset: true }],
    [
      "reset,when=after,operation=assignDriver,after=3",
      { reset: true, when: "after", after: 3, operation: "assignDriver" },
    ],
    ["delay=250,method=POST", { delay: 250, method: "POST" }],
    ["rate_limit=30", { rate_limit: 30 }],
    ["redirect=http://127.0.0.1:1/x?a=b", { redirect: "http://127.0.0.1:1/x?a=b" }],
    ["status=500,body=500,content_type=text/plain", { status: 500, body: "500", content_type: "text/plain" }],
    [" hang , path=/cancel", { hang: true, path: "/cancel" }],
    ['status=200,body="{""a"":1,""b"":2}",times=1', { status: 200, body: '{"a":1,"b":2}', times: 1 }],
    ['status=200,body={"error":"locked"}', { status: 200, body: '{"error":"locked"}' }],
    ['rate_limit="Fri, 20 Nov 2026 18:00:00 GMT"', { rate_limit: "Fri, 20 Nov 2026 18:00:00 GMT" }],
    ["redirect=/x,status=303", { redirect: "/x", status: 303 }],
    [
      "reset,path=/api/partner/v1/orders/{order_id}/dispatch",
      { reset: true, path: "/api/partner/v1/orders/{order_id}/dispatch" },
    ],
  ])("%s", (text, fault) => {
    expect(readFault(text)).toEqual(fault);
    expect(readFault(fault as FaultInput)).toEqual(fault);
  });

  test.each([
    "",
    "times=2",
    "reset=1",
    "delay",
    "reset,hang",
    "status=502,html",
    "reset,times=0",
    "reset,path",
    "reset,,times=1",
  ])("is refused with a reason: %j", (text) => {
    expect(() => readFault(text)).toThrow(SyntaxError);
  });

  test("names what it may be where it is wrong", () => {
    for (const wrong of ["explode", { explode: true } as FaultInput])
      expect(() => readFault(wrong)).toThrow(
        /has no field "explode".* status, delay, .*; beside it go method, path/,
      );
    expect(() => readFault({ times: 2 })).toThrow(/must say one thing that goes wrong\. .* status, delay/);
    expect(() => readFault({ reset: true, body: "x" })).toThrow(/body and content_type go with status/);
  });
});
