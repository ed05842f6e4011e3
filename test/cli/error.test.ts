/** Errors as people and programs read them. */
import { expect, test } from "vitest";

import { ComandaError, type ErrorOptions } from "../../src/base/errors.js";
import { createOutput } from "../../src/cli/output.js";
import type { Format } from "../../src/cli/records.js";
import { Sink } from "../support/context.js";
import { containing } from "../support/output.js";
import { Machine } from "../support/program.js";

const machine = new Machine();

async function told(error: ComandaError, format: Format): Promise<string> {
  const stderr = new Sink();
  const streams = { stdout: new Sink(), stderr, env: {} };
  const output = await createOutput(streams, { format, quiet: false, color: true });
  output.error(error);
  return stderr.text;
}

test.each<[string, ErrorOptions, string]>([
  ["It failed (HTTP 302).", { httpStatus: 302 }, ""],
  ["There is no such order.", { httpStatus: 404 }, "HTTP 404"],
  ["It failed (HTTP 400).", { httpStatus: 400, serviceCode: 4000 }, "HTTP 400, code 4000"],
  ["No (HTTP 400).", { httpStatus: 400, serviceMessage: "No.", details: "Why" }, "No.: Why (HTTP 400)"],
])("An error %j with the answer %j shows the server's response once", async (message, answer, said) => {
  const error = new ComandaError("status_conflict", message, answer);
  const lines = `error: ${message}\n${said === "" ? "" : `  Service response: ${said}\n`}`;
  expect(await told(error, "table")).toBe(lines);
  const { httpStatus, serviceCode = null } = answer;
  expect(JSON.parse(await told(error, "json"))).toMatchObject({
    error: { code: "status_conflict", service_code: serviceCode, http_status: httpStatus, message },
  });
});

const dimensionHint = "Use one of hour, day, day_of_week,";
const duration = "Use a duration of at most one day, such as --timeout 30s";

test.each([
  ["oders", "Unknown command 'oders'.", "Did you mean orders?"],
  ["--store centro orders dispach 1", "Unknown command 'dispach'.", "Did you mean dispatch?"],
  ["orders dispach --help", "Unknown command 'dispach'.", "Did you mean dispatch?"],
  ["history driver", "Unknown command 'driver'.", "Did you mean drivers?"],
  ["summary --net=true", "--net accepts no value.", "Run comanda summary --help"],
  ["summary --nett=hidden", "Unknown option '--nett'.", "Did you mean --net?"],
  ["grouped --by weekday", 'Invalid value "weekday" for --by. Did you mean "day_of_week"?', dimensionHint],
  ["orders", "Choose a command: dispatch, deliver, finalize or cancel.", "Run comanda orders --help"],
  ["orders dispatch", "Missing required argument 'id'.", "Run comanda orders dispatch --help"],
  ["summary --period", "--period requires a value.", "Run comanda summary --help"],
  ["status x", "Too many arguments for 'status'. Expected 0 but got 1.", "Run comanda status --help"],
  ["summary --format xml", 'Invalid value "xml" for --format.', "Use one of table, json, csv, markdown."],
  ["status --dry-run", "--dry-run can't be used with comanda status.", "Run comanda status --help"],
  ["status --timeout 3x", 'Invalid value "3x" for --timeout.', duration],
])("The line %j exits with code 2, and prints the problem and what to do", async (line, message, hint) => {
  const ran = await machine.inProcess(line);
  expect(ran).toEqual({ code: 2, stdout: "", stderr: containing(`error: ${message}\n  ${hint}`) });
  expect(ran.stderr).not.toContain("hidden");
});
