/** The checks of `doctor` on the way to the service: proxy, certificates, address and clock. */
import { statSync } from "node:fs";

import { TransportError } from "../../client/transport.js";
import { t } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import type { Session } from "../../state/sessions.js";
import { variable } from "../../cli/context.js";
import type { Context } from "../../cli/context.js";

import { failureOf, failure, ok, warning, type Finding } from "./finding.js";
import { withTransport } from "../store.js";

/** With a greater difference an expired token seems valid, and near midnight yesterday is another day. */
const clockTolerancesMs = { warning: 30_000, failure: 300_000 };
const answerMs = 10_000;

/** Judges the variables of the environment without a request. */
export function network(context: Context): readonly Finding[] {
  const { env } = context;
  const findings: Finding[] = [];
  const proxies = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter((name) => env[name]);
  if (proxies.length > 0) findings.push(ok(t`proxy`, t`Set by ${proxies.join(", ")}.`));
  const authority = variable(context, "NODE_EXTRA_CA_CERTS");
  if (authority !== undefined) {
    const isThere = isFile(authority);
    findings.push(
      isThere
        ? ok(t`certificates`, t`${authority} is trusted too.`)
        : failure(
            t`certificates`,
            t`${authority} isn't there.`,
            t`Correct NODE_EXTRA_CA_CERTS, or unset it.`,
          ),
    );
  }
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push(
      failure(t`certificates`, t`NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked.`, t`Unset it.`),
    );
  }
  return findings;
}

/** Sends each service one request without credentials: any answer proves that the way is open. */
export async function services(context: Context, sessions: readonly Session[]): Promise<readonly Finding[]> {
  const baseUrl = variable(context, "COMANDA_BASE_URL");
  const byUrl = new Map(sessions.map(({ environment }) => [environment.base_url, environment.name]));
  if (baseUrl !== undefined) byUrl.set(baseUrl, "COMANDA_BASE_URL");
  return (await Promise.all([...byUrl].map(([url, name]) => service(context, name, url)))).flat();
}

async function service(context: Context, name: string, url: string): Promise<readonly Finding[]> {
  const check = t`service ${name}`;
  try {
    return await withTransport(context, url, async (transport) => {
      const { signal } = context;
      const { headers } = await transport.send({
        method: "HEAD",
        url,
        headers: {},
        timeoutMs: answerMs,
        signal,
      });
      return [
        ok(check, t`${new URL(url).origin} answers.`),
        ...insecureAddress(check, new URL(url)),
        ...clock(context, name, headers["date"]),
      ];
    });
  } catch (error) {
    if (error instanceof TransportError)
      return [failure(check, `${new URL(url).origin}: ${error.message}`, hintFor(error))];
    return [failureOf(check, error)];
  }
}

function insecureAddress(check: string, { protocol, hostname }: URL): readonly Finding[] {
  if (protocol === "https:" || isLoopbackHost(hostname)) return [];
  return [
    warning(
      check,
      t`Whoever is on the way to it reads credentials and orders: http hides nothing.`,
      t`Keep it to tests, and set https elsewhere: comanda env set --help`,
    ),
  ];
}

function hintFor({ failure: kind, atProxy }: TransportError): string {
  if (atProxy) return t`Check HTTPS_PROXY.`;
  switch (kind) {
    case "dns":
      return t`Check the network, and the address: comanda env list`;
    case "tls":
      return t`Behind a proxy that opens TLS, NODE_EXTRA_CA_CERTS names the file with its certificate.`;
    default:
      return t`Check the network, a firewall, and the address: comanda env list`;
  }
}

function clock(context: Context, name: string, date: string | undefined): readonly Finding[] {
  const serviceTime = Date.parse(date ?? "");
  if (Number.isNaN(serviceTime)) return [];
  const difference = Math.abs(context.clock.now() - serviceTime);
  const check = t`clock (${name})`;
  const message = t`This machine's clock and the service's are ${Math.round(difference / 1_000)} s apart.`;
  const hint = t`Let the system set its clock by the network (NTP).`;
  if (difference > clockTolerancesMs.failure) return [failure(check, message, hint)];
  return [difference > clockTolerancesMs.warning ? warning(check, message, hint) : ok(check, message)];
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
