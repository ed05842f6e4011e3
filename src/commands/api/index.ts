import type { Command } from "commander";

import type { Context } from "../context.js";
import { collect } from "../globals.js";
import { leaf, perform } from "../leaf.js";
import type { ApiOptions } from "./options.js";

export function apiCommand(context: Context): Command {
  const command = leaf({
    usage: "api <method> <path>",
    summary: "any call to the service, signed with the store's credentials",
    description:
      "The path is joined to the store's base URL and never leads elsewhere. The answer is printed as it came; any " +
      "status but a 2xx ends with the exit code that it has for every command, its body on stdout all the same. " +
      "GET, HEAD, PUT and DELETE are repeated where that does no harm; POST and PATCH never.\n\n" +
      "The JSON body is one object, the key as it is typed: an object or a list in it is a value of -F, such as " +
      '-F \'customer={"name":"Ana"}\', and any other body comes from --input.\n\n' +
      "Bodies and answers are streamed. So --timeout is the longest silence here: each piece of them begins it anew. " +
      "--max-time is the longest time of the whole call, its waits and repetitions included; a write that is out by then " +
      "ends with exit code 9, anything else with 8.",
    takes: ["store", "dryRun"],
    examples: [
      "api GET /api/partner/v1/orders/summary --query start_date=2026-10-05T00:00:00Z --query end_date=2026-10-05T23:59:59Z",
      'api POST /api/partner/v1/orders/4712/cancel -f cancellation_reason="Out of flour"',
      "api PUT /api/partner/v1/orders/4716/driver -F driver_id=11 -F driver_fee=7.50",
      "api POST /api/partner/v1/orders --auth partner --input order.json --dry-run",
    ],
  })
    .option("-f, --field <key=value>", "a text of the JSON body (repeatable)", collect)
    .option(
      "-F, --json-field <key=json>",
      "a number, true, null, list … of the JSON body (repeatable)",
      collect,
    )
    .option("--query <key=value>", "a parameter of the query (repeatable)", collect)
    .option("--input <file>", "the body, sent as it is; - is stdin")
    .option("-H, --header <name:value>", "a header (repeatable)", collect)
    .option("--auth <kind>", "bearer, key, or partner (API key and partner key)")
    .option("--max-time <duration>", "longest time for the whole call (default: none)")
    .option("-i, --include", "print the status line and the headers first");
  return perform(command, context, async (invocation, [method = "", path = ""]) => {
    const { callApi } = await import("./call-api.js");
    await callApi(invocation, method, path, command.opts<ApiOptions>());
  });
}
