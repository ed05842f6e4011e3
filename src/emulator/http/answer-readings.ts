/** Rewrites answers where the readings differ from the emulator's own: headers, statuses, forms of fields. */
import { operations, statusChanges } from "../../contract/operations.js";
import { allOperations, oauthOperations } from "../../contract/oauth-operations.js";
import { errorCodes } from "../../contract/errors.js";
import { centsFromNumber, numberFromCents } from "../../contract/money.js";
import { isObject, parseJson } from "../../shared/json.js";
import { chosenReadings, type Readings } from "../readings.js";
import type { LoggedCall } from "./log.js";

type Rewrite = (call: LoggedCall, response: Response) => Promise<Response>;

/** @returns `undefined` where every answer is written as usual */
export function answerRewrite(readings: Readings): Rewrite | undefined {
  if (chosenReadings(readings).every(({ value, default: usual }) => value === usual)) return undefined;
  return async (call, response) => {
    const { operation } = call;
    if (operation === null || !Object.hasOwn(allOperations, operation)) return response;
    const answer: Answer = {
      status: response.status,
      headers: new Headers(response.headers),
      body: parseJson(await response.text()),
    };
    if (operation in oauthOperations) rewriteOAuth(answer, readings, operation);
    else if (answer.status >= 400) rewriteRefusal(answer, readings, call.time);
    else rewriteSuccess(answer, readings, operation);
    const { status, headers, body } = answer;
    if (body !== undefined && !headers.get("content-type")?.startsWith("text/"))
      headers.set("content-type", readings.json_type);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  };
}

interface Answer {
  status: number;
  readonly headers: Headers;
  /** The body is JSON; `undefined` where it is empty. */
  body: unknown;
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
  const { headers, body } = answer;
  if (answer.status === 401 && readings.challenge) headers.set("www-authenticate", "Bearer");
  if (answer.status === 403) answer.body = refusalBody(answer, readings.forbidden_body);
  if (answer.status === 429) {
    answer.body = refusalBody(answer, readings.rate_limit_body);
    const seconds = Number(headers.get("retry-after"));
    if (readings.retry_after === "none") headers.delete("retry-after");
    if (readings.retry_after === "date")
      headers.set("retry-after", new Date(now + seconds * 1_000).toUTCString());
  }
  if (!isObject(body)) return;
  if (body["code"] === errorCodes.statusCannotChange) {
    answer.status = readings.conflict_status;
    if (readings.error_details === "never") answer.body = { code: body["code"], message: body["message"] };
  }
  if (body["code"] === errorCodes.notFound && readings.error_details === "always")
    answer.body = { ...body, details: "There is no such order" };
}

function refusalBody({ status, headers, body }: Answer, form: Readings["forbidden_body"]): unknown {
  if (form === "empty") {
    headers.delete("content-type");
    return undefined;
  }
  if (form === "text") {
    headers.set("content-type", "text/plain");
    return "Refused";
  }
  // The number is none of section 7.
  return form === "error_object" && isObject(body) ? { code: status * 10, ...body } : body;
}

function rewriteSuccess(answer: Answer, readings: Readings, operation: string): void {
  if (Object.values(statusChanges).some(({ id }) => id === operation)) {
    answer.status = readings.success_status;
    if (readings.success_type !== "none") answer.headers.set("content-type", readings.success_type);
  }
  if (operation === operations.createPrefilledOrder.id) answer.status = readings.prefilled_status;
  const { body } = answer;
  const isGrouped = isObject(body) && Array.isArray(body["groups"]);
  const value = isGrouped
    ? { ...body, groups: rewriteGroups(body["groups"], String(body["group_by"]), readings) }
    : body;
  answer.body = rewriteValue(value, readings);
}

function rewriteGroups(groups: unknown, dimension: string, readings: Readings): unknown {
  const rewritten = (Array.isArray(groups) ? groups : [])
    .filter(isObject)
    .flatMap((group): Record<string, unknown>[] => {
      const { key } = group;
      if (key === null && dimension !== "driver_id" && readings.no_value_group !== "null_key")
        return readings.no_value_group === "left_out" ? [] : [{ ...group, key: "" }];
      const isId = dimension === "driver_id" || dimension === "payment_method_id";
      return [
        {
          ...group,
          ...(isId && key !== null && readings.id_key === "text" && { key: keyText(key) }),
          ...(dimension !== "driver_id" &&
            key !== null &&
            readings.group_labels === "key" && { label: keyText(key) }),
        },
      ];
    });
  if (readings.group_order === "time_and_count") return rewritten;
  const isInTime = ["hour", "day", "day_of_week", "week", "month"].includes(dimension);
  return isInTime
    ? rewritten.reverse()
    : rewritten.sort((a, b) => (String(a["key"]) < String(b["key"]) ? -1 : 1));
}

function keyText(key: unknown): string {
  return typeof key === "string" ? key : JSON.stringify(key);
}

const times = new Set(["created_at", "updated_at", "scheduled_date_time_start", "scheduled_date_time_end"]);

/** Rewrites every object of an answer, with all that is in it. */
function rewriteValue(value: unknown, readings: Readings): unknown {
  if (Array.isArray(value)) return value.map((member) => rewriteValue(member, readings));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (member === null && readings.order_nulls === "absent" && name !== "key") return [];
    if (times.has(name) && typeof member === "string")
      return [[name, formatTime(member, readings.timestamps)]];
    if (name === "average_order_value") return [[name, averageOf(value, member, readings)]];
    return [[nameOf(name, value, readings), rewriteValue(member, readings)]];
  });
  return Object.fromEntries([...entries, ...(readings.unknown_fields ? [["added_later", "a field"]] : [])]);
}

function nameOf(name: string, owner: Record<string, unknown>, readings: Readings): string {
  const isPrice = "option_id" in owner && (name === "unit_price" || name === "total_price");
  if (isPrice && readings.option_price !== "mixed") return readings.option_price;
  const isChange = name === "change_for" || name === "change_of";
  return isChange && readings.change_name !== "mixed" ? readings.change_name : name;
}

function formatTime(text: string, form: Readings["timestamps"]): string {
  if (form === "utc") return new Date(text).toISOString().replace(".000Z", "Z");
  return form === "milliseconds" ? text.replace(/(?<=:\d\d)(?=[+-])/, ".000") : text;
}

function averageOf(figures: Record<string, unknown>, average: unknown, readings: Readings): unknown {
  const { total_order_count: count, total_revenue: revenue } = figures;
  if (count === 0) return readings.empty_average === "zero" ? average : null;
  if (readings.average_rounding === "half_up" || typeof count !== "number" || typeof revenue !== "number")
    return average;
  return numberFromCents(Math.floor((centsFromNumber(revenue) ?? 0) / count));
}
