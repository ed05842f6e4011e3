/** Errors as people read them. */
import { expect, test } from "vitest";

import { ComandaError, type ErrorOptions } from "../../src/client/errors.js";
import { renderError, renderErrorJson } from "../../src/cli/output.js";
import { plainStyle } from "../../src/cli/style.js";

test.each<[string, ErrorOptions, string | undefined]>([
  ["It failed (HTTP 302).", { httpStatus: 302 }, undefined],
  ["There is no such order.", { httpStatus: 404 }, "nothing more (HTTP 404)"],
  ["It failed (HTTP 400).", { httpStatus: 400, serviceCode: 4000 }, "nothing more (HTTP 400, code 4000)"],
  [
    "It failed (HTTP 400).",
    { httpStatus: 400, serviceMessage: "No.", details: "Why" },
    "No.: Why (HTTP 400)",
  ],
])("%s %j", (message, answer, said) => {
  const lines = renderError(new ComandaError("invalid_request", message, answer), plainStyle).split("\n");
  expect(lines).toEqual([
    `error: ${message}`,
    ...(said === undefined ? [] : [`  The service said: ${said}`]),
    "",
  ]);
});

test.each([
  [{ httpStatus: 409, serviceCode: 4002 }, 4002],
  [{ httpStatus: 409 }, null],
])("a program reads the stable name of an error beside the service's own number: %j", (answer, number) => {
  const error = new ComandaError("status_conflict", "No.", answer);
  expect(JSON.parse(renderErrorJson(error))).toMatchObject({
    error: { code: "status_conflict", service_code: number, http_status: 409 },
  });
});
