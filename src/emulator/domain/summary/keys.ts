/**
 * The specification leaves these points about the sales figures open (sections 4.6 to 4.8), and no reading
 * (`../../readings.ts`) is a switch for them. A client must do with any other choice as well.
 *
 * Which orders count:
 * - A scheduled order belongs to the day on which its `schedule` starts, in the store's zone; with
 *   `date_field=scheduled_date` orders without a schedule are left out.
 * - An end of exactly six calendar months after the start is accepted, also by date. After 31 August comes the last day
 *   of February.
 *
 * Filters:
 * - Several filters hold together. `in` and `not_in` take several values, every other operator exactly one.
 * - `not_in` keeps orders that have no such value at all: no driver, no origin, no payment.
 * - A payment method filter looks at every payment of an order.
 * - `payment_method_id` takes any text: whether these ids are numbers is not shown. Here they are; another text
 *   selects nothing.
 * - An empty `customer_origin` is an origin like any other: it is not the absent one, for which there is `null`.
 * - `created_at_time` looks at the hour and minute on the store's wall clock: 15:00:59 is equal to 15:00.
 * - `sales_channel` takes any value, since the names of its marketplaces are stand-ins; one that no order has
 *   selects nothing. The lists of `status`, `order_type` and `order_timing` are closed.
 * - Parameters that sections 4.6 to 4.8 don't name are refused: a slip would give other figures unnoticed.
 *
 * Groups:
 * - Temporal groups follow `date_field`, on the store's wall clock. An hour that the clock runs through twice is one
 *   group.
 * - Labels are in Portuguese, as the one that is shown.
 */
import type { Dimension, temporalDimensions } from "../../../api/enums.js";
import type { Group } from "../../../api/models.js";
import { noDriverLabel } from "../../../api/summary.js";
import type { Readings } from "../../readings.js";
import { dayMs } from "../zone.js";

/** Every group whose key is null has this label; section 4.7 shows it for drivers. */
export const noValueLabel = noDriverLabel;

/** The labels begin with Sunday, whose key is 0. */
const dayOfWeekLabels = [
  "Domingo",
  "Segunda-feira",
  "Terça-feira",
  "Quarta-feira",
  "Quinta-feira",
  "Sexta-feira",
  "Sábado",
] as const;

/** The English names begin with Sunday. */
const dayOfWeekNames = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** Keys that have a name get these labels; any other key is its own label. */
export const valueLabels: ReadonlyMap<string, string> = new Map([
  ["delivery", "Entrega"],
  ["takeout", "Retirada"],
  ["onsite", "Consumo no local"],
  ["closed_table", "Mesa"],
  ["immediate", "Imediato"],
  ["scheduled", "Agendado"],
  ["waiting_confirmation", "Aguardando confirmação"],
  ["pending_payment", "Pagamento pendente"],
  ["pending_online_payment", "Pagamento online pendente"],
  ["scheduled_confirmed", "Agendamento confirmado"],
  ["confirmed", "Em preparo"],
  ["ready", "Pronto"],
  ["released", "Saiu para entrega"],
  ["waiting_to_catch", "Aguardando retirada"],
  ["delivered", "Entregue"],
  ["canceling", "Em cancelamento"],
  ["canceled", "Cancelado"],
  ["closed", "Finalizado"],
  ["catalog", "Cardápio digital"],
  ["store_front_catalog", "Cardápio de balcão"],
  ["table_catalog", "Cardápio de mesa"],
  ["portal", "Portal"],
  ["messaging_extension", "Extensão de mensagens"],
  ["integration", "Integração"],
  ["totem", "Totem"],
]);

type TemporalDimension = (typeof temporalDimensions)[number];
export type KeyAndLabel = Pick<Group, "key" | "label">;

/** A group in time gets key and label from an hour, or from a local day counted from 1970-01-01. */
export const temporalKeys: Readonly<
  Record<TemporalDimension, (unit: number, readings: Readings) => KeyAndLabel>
> = { hour: hourKey, day: dayKey, day_of_week: dayOfWeekKey, week: weekKey, month: monthKey };

export function isTemporal(dimension: Dimension): dimension is TemporalDimension {
  return dimension in temporalKeys;
}

function hourKey(hour: number, { hour_key }: Readings): KeyAndLabel {
  const text = String(hour).padStart(2, "0");
  return { key: { number: hour, text, clock: `${text}:00` }[hour_key], label: `${text}:00` };
}

function dayKey(day: number, { day_key }: Readings): KeyAndLabel {
  const iso = isoDate(day);
  const brazilian = iso.split("-").toReversed().join("/");
  return { key: { iso, brazilian }[day_key], label: brazilian };
}

/** 1970-01-01 was a Thursday. */
function dayOfWeekKey(day: number, { day_of_week_key }: Readings): KeyAndLabel {
  const weekday = modulo(day + 4, 7);
  const name = dayOfWeekNames[weekday] ?? null;
  const keys = { sunday_0: weekday, sunday_1: weekday + 1, monday_1: weekday || 7, name };
  return { key: keys[day_of_week_key], label: dayOfWeekLabels[weekday] ?? null };
}

/** A week belongs to the year that its Thursday is in (ISO 8601). */
function weekKey(day: number, { week_key }: Readings): KeyAndLabel {
  if (week_key !== "iso") {
    const first = day - modulo(day + (week_key === "monday" ? 3 : 4), 7);
    return { key: isoDate(first), label: isoDate(first).split("-").toReversed().join("/") };
  }
  const thursday = Math.floor((day + 3) / 7) * 7;
  const year = Number(isoDate(thursday).slice(0, 4));
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  const padded = String(week).padStart(2, "0");
  return { key: `${isoDate(thursday).slice(0, 4)}-W${padded}`, label: `Semana ${week} de ${year}` };
}

function monthKey(day: number, { month_key }: Readings): KeyAndLabel {
  const month = isoDate(day).slice(0, 7);
  const key = month_key === "month" ? month : `${month}-01`;
  return { key, label: month.split("-").toReversed().join("/") };
}

export function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
