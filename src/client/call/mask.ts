/** An answer that quotes a credential back must not carry it into an error or onto a terminal. */
import type { ServiceAnswer } from "../../shared/errors.js";
import type { AnswerHead, HttpAnswer } from "../http/transport.js";

type Secrets = readonly string[];

export function maskedRefusal(
  { service, answer }: { readonly service: ServiceAnswer; readonly answer: HttpAnswer },
  secrets: Secrets,
): { readonly service: ServiceAnswer; readonly answer: HttpAnswer } {
  const { message, details } = service;
  return {
    answer: maskedHead(answer, secrets),
    service: {
      ...service,
      ...(message === undefined ? {} : { message: masked(message, secrets) }),
      ...(details === undefined ? {} : { details: masked(details, secrets) }),
    },
  };
}

/** The headers alone: the body is the caller's, as it came. */
export function maskedHead<Head extends AnswerHead>(head: Head, secrets: Secrets): Head {
  const { headers, setCookies } = head;
  return {
    ...head,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, masked(value, secrets)]),
    ),
    ...(setCookies && { setCookies: setCookies.map((value) => masked(value, secrets)) }),
  };
}

function masked(text: string, secrets: Secrets): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}
