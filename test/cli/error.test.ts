/** Errors as people and programs read them. */
import { afterAll, expect, test } from "vitest";

import { ComandaError, type ErrorOptions } from "../../src/base/errors.js";
import { createOutput } from "../../src/cli/output.js";
import type { Format } from "../../src/cli/records.js";
import { Sink } from "../support/context.js";
import { Machine } from "../support/program.js";

const machine = new Machine();
afterAll(() => machine.remove());

async function told(error: ComandaError, format: Format): Promise<string> {
  const stderr = new Sink();
  const streams = { stdout: new Sink(), stderr, env: {} };
  const output = await createOutput(streams, { format, quiet: false, color: true });
  output.error(error);
  return stderr.text;
}

test.each<[string, ErrorOptions, string]>([
  ["It failed (HTTP 302).", { httpStatus: 302 }, ""],
  ["There is no such order.", { httpStatus: 404 }, "nothing more (HTTP 404)"],
  ["It failed (HTTP 400).", { httpStatus: 400, serviceCode: 4000 }, "nothing more (HTTP 400, code 4000)"],
  ["No (HTTP 400).", { httpStatus: 400, serviceMessage: "No.", details: "Why" }, "No.: Why (HTTP 400)"],
])("%s %j: a person and a program read what the service said, once", async (message, answer, said) => {
  const error = new ComandaError("status_conflict", message, answer);
  const lines = `error: ${message}\n${said === "" ? "" : `  The service said: ${said}\n`}`;
  expect(await told(error, "table")).toBe(lines);
  const { httpStatus, serviceCode = null } = answer;
  expect(JSON.parse(await told(error, "json"))).toMatchObject({
    error: { code: "status_conflict", service_code: serviceCode, http_status: httpStatus, message },
  });
});

test.each([
  ["oders", "Unknown command 'oders'.", "Did you mean orders?"],
  ["--store centro orders dispach 1", "Unknown command 'dispach'.", "Did you mean dispatch?"],
  ["pivot --help", "Unknown command 'pivot'.", "Add --help"],
  ["orders", "A subcommand is missing.", "The help above lists them."],
  ["orders dispatch", "Missing required argument 'id'.", "Add --help"],
  ["summary --perid today", "Unknown option '--perid'.", "Did you mean --period?"],
  ["summary --secret=hidden", "Unknown option '--secret'.", "Add --help"],
  ["summary --period", "Option '-p, --period <period>' argument missing.", "Add --help"],
  ["status x", "Too many arguments for 'status'. Expected 0 arguments but got 1.", "Add --help"],
  ["status --dry-run", '"comanda status" doesn\'t take --dry-run.', "See: comanda status --help"],
  ["status --timeout 3x", "--timeout takes a duration", "For example: --timeout 30s"],
])("%s: exit 2, and says what is wrong and what to do", async (line, message, hint) => {
  const { code, stdout, stderr } = await machine.inProcess(line.split(" "));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr).toContain(`\n  ${hint}`);
  expect(stderr).not.toContain("hidden");
});
