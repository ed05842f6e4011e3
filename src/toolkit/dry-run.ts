/** Shows for `--dry-run` the requests as they would be sent, with secrets masked. */
import type { DescribedRequest } from "../client/client.js";
import type { Output } from "../cli/output.js";
import { t } from "../languages/language.js";

export function showRequests(output: Output, requests: readonly DescribedRequest[]): void {
  for (const { method, url, headers, body } of requests) {
    if (output.json) {
      output.jsonLine({ method, url, headers, body: body ?? null });
      continue;
    }
    output.line(`${method} ${url}`);
    for (const [name, value] of Object.entries(headers)) output.line(`${name}: ${value}`);
    if (body !== undefined) output.line(body);
    output.line("");
  }
  output.notice(t`Nothing was sent (--dry-run).`);
}
