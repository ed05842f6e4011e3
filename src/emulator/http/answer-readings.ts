/** Changes headers, statuses and fields of answers if a reading differs from its default. */
import { errorCodes } from "../../api/values.js";
import { centsFromNumber, numberFromCents } from "../../api/money.js";
import { allOperations, oauthOperations } from "../../api/oauth.js";
import { operations, statusChanges } from "../../api/operations.js";
import { isObject, parseJson } from "../../base/basics.js";
import { chosenReadings, type Readings } from "../readings.js";
import type { LoggedCall } from "./received.js";

interface Answer {
  status: number;
  readonly headers: Headers;
  /** JSON value or text; `undefined` if empty. */
  body: unknown;
}

/** Returns the function that changes answers, or `undefined` if every reading has its default. */
export function answerRewrite(
  readings: Readings,
): ((call: LoggedCall, response: Response) => Promise<Response>) | undefined {
  if (chosenReadings(readings).every(({ value, default: usual }) => value === usual)) return undefined;
  return async ({ operation, time }, response) => {
    if (operation === null || !Object.hasOwn(allOperations, operation)) return response;
    const headers = new Headers(response.headers);
    const answer: Answer = { status: response.status, headers, body: parseJson(await response.text()) };
    if (operation in oauthOperations) rewriteOAuth(answer, readings, operation);
    else if (answer.status >= 400) rewriteRefusal(answer, readings, time);
    else rewriteSuccess(answer, readings, operation);
    const { status, body } = answer;
    if (body !== undefined && !headers.get("content-type")?.startsWith("text/"))
      headers.set("content-type", readings.json_type);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  };
}

function rewriteOAuth(answer: Answer, readings: Readings, operation: string): void {
  const { body } = answer;
  if (isObject(body) && answer.status >= 400) {
    if (body["error"] === "invalid_client") answer.status = readings.client_refusal;
    if (readings.error_description === "absent") answer.body = { error: body["error"] };
  } else if (operation === oauthOperations.revoke.id) {
    if (readings.revoke_answer === "empty_204") answer.status = 204;
    if (readings.revoke_answer === "object_200") answer.body = {};
  }
}

function rewriteRefusal(answer: Answer, readings: Readings, now: number): void {
  const { headers, body, status } = answer;
  if (status === 401 && readings.challenge) headers.set("www-authenticate", "Bearer");
  if (status === 429) {
    const seconds = Number(headers.get("retry-after"));
    if (readings.retry_after === "none") headers.delete("retry-after");
    if (readings.retry_after === "date")
      headers.set("retry-after", new Date(now + seconds * 1_000).toUTCString());
  }
  if (status === 403 || status === 429) {
    const form = status === 403 ? readings.forbidden_body : readings.rate_limit_body;
    // Section 7 doesn't define this code.
    if (form === "error_object" && isObject(body)) answer.body = { code: status * 10, ...body };
    if (form === "empty") {
      headers.delete("content-type");
      answer.body = undefined;
    }
    if (form === "text") {
      headers.set("content-type", "text/plain");
      answer.body = "Refused";
    }
  }
  if (!isObject(body)) return;
  const { code, message } = body;
  if (code === errorCodes.statusCannotChange) {
    answer.status = readings.conflict_status;
    if (readings.error_details === "never") answer.body = { code, message };
  }
  if (readings.error_details !== "always") return;
  if (code === errorCodes.notFound) answer.body = { ...body, details: "There is no such order" };
  if (code === errorCodes.invalidToken) answer.body = { ...body, details: "The token is not valid" };
}

function rewriteSuccess(answer: Answer, readings: Readings, operation: string): void {
  if (Object.values(statusChanges).some(({ id }) => id === operation)) {
    answer.status = readings.success_status;
    if (readings.success_type !== "none") answer.headers.set("content-type", readings.success_type);
  }
  if (operation === operations.createPrefilledOrder.id) answer.status = readings.prefilled_status;
  const { body } = answer;
  const { groups, group_by } = isObject(body) ? body : {};
  const rewritten =
    Array.isArray(groups) && rewriteGroups(groups.filter(isObject), String(group_by), readings);
  answer.body = rewriteValue(isObject(body) && rewritten ? { ...body, groups: rewritten } : body, readings);
}

type Fields = Record<string, unknown>;

function rewriteGroups(groups: readonly Fields[], dimension: string, readings: Readings): readonly Fields[] {
  const isDriver = dimension === "driver_id";
  const isId = isDriver || dimension === "payment_method_id";
  const rewritten = groups.flatMap((group): Fields[] => {
    const { key } = group;
    if (key === null && (isDriver || readings.no_value_group === "null_key")) return [group];
    if (key === null) return readings.no_value_group === "left_out" ? [] : [{ ...group, key: "" }];
    const text = typeof key === "string" ? key : JSON.stringify(key);
    const label = !isDriver && readings.group_labels === "key" ? text : group["label"];
    return [{ ...group, key: isId && readings.id_key === "text" ? text : key, label }];
  });
  if (readings.group_order === "time_and_count") return rewritten;
  return ["hour", "day", "day_of_week", "week", "month"].includes(dimension)
    ? rewritten.reverse()
    : rewritten.sort((a, b) => (String(a["key"]) < String(b["key"]) ? -1 : 1));
}

/** Rewrites the objects of an answer recursively. */
function rewriteValue(value: unknown, readings: Readings): unknown {
  if (Array.isArray(value)) return value.map((member) => rewriteValue(member, readings));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (member === null && readings.order_nulls === "absent" && name !== "key") return [];
    if (name === "total_revenue" && value["total_order_count"] === 0)
      return [[name, readings.empty_revenue === "zero" ? member : null]];
    if (name === "average_order_value") return [[name, averageOf(value, member, readings)]];
    const isTime = /^(?:created_at|updated_at|scheduled_date_time_(?:start|end))$/.test(name);
    if (isTime && typeof member === "string") return [[name, formatTime(member, readings.timestamps)]];
    const isPrice = "option_id" in value && (name === "unit_price" || name === "total_price");
    const isChange = name === "change_for" || name === "change_of";
    const form = isPrice ? readings.option_price : isChange ? readings.change_name : "mixed";
    return [[form === "mixed" ? name : form, rewriteValue(member, readings)]];
  });
  if (readings.unknown_fields) entries.push(["added_later", "a field"]);
  return Object.fromEntries(entries);
}

function formatTime(text: string, form: Readings["timestamps"]): string {
  if (form === "utc") return new Date(text).toISOString().replace(".000Z", "Z");
  return form === "milliseconds" ? text.replace(/(?<=:\d\d)(?=[+-])/, ".000") : text;
}

function averageOf(figures: Fields, average: unknown, readings: Readings): unknown {
  const { total_order_count: count, total_revenue: revenue } = figures;
  if (count === 0) return readings.empty_average === "zero" ? average : null;
  if (readings.average_rounding === "half_up" || typeof count !== "number" || typeof revenue !== "number")
    return average;
  return numberFromCents(Math.floor((centsFromNumber(revenue) ?? 0) / count));
}
