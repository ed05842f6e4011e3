/** Errors as people and programs read them. */
import { afterAll, expect, test } from "vitest";

import { ComandaError, type ErrorOptions } from "../../src/client/errors.js";
import { renderError, renderErrorJson } from "../../src/cli/output.js";
import { plainStyle } from "../../src/cli/text.js";
import { Machine } from "../support/program.js";

const machine = new Machine();
afterAll(() => machine.remove());

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

test.each([
  ["oders", 'There is no command "oders".', "Did you mean orders?"],
  ["--store centro orders dispach 1", 'There is no command "dispach".', "Did you mean dispatch?"],
  ["frobnicate", 'There is no command "frobnicate".', "comanda --help lists the commands."],
  ["pivot --help", 'There is no command "pivot".', "comanda --help lists the commands."],
  ["orders", "A subcommand is missing.", "The help above lists them."],
  ["orders dispatch", "The argument <id> is missing.", "Add --help to see what the command takes."],
  ["summary --perid today", "There is no option --perid.", "Did you mean --period?"],
  ["summary --secret=hidden", "There is no option --secret.", "Add --help"],
  ["summary --period", "The value of --period is missing.", "Write --period <"],
  ["summary --format yaml", '--format can\'t be "yaml".', "It takes table, json, csv, markdown."],
  ["status x", 'Too many arguments for "status": 1 in place of 0.', "Add --help"],
  ["status --dry-run", '"comanda status" doesn\'t take --dry-run.', "See: comanda status --help"],
  ["status --timeout 3x", "--timeout takes a duration", "For example: --timeout 30s"],
])("%s: exit 2, and says what is wrong and what to do", async (line, message, hint) => {
  const { code, stdout, stderr } = await machine.inProcess(line.split(" "));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr).toContain(`\n  ${hint}`);
  expect(stderr).not.toContain("hidden");
});
