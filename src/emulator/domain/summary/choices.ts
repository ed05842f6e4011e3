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
import { noDriverLabel } from "../../../contract/summary.js";

/** Every group whose key is null has this label; section 4.7 shows it for drivers. */
export const noValueLabel = noDriverLabel;

/** The labels begin with Sunday, whose key is 0. */
export const dayOfWeekLabels = [
  "Domingo",
  "Segunda-feira",
  "Terça-feira",
  "Quarta-feira",
  "Quinta-feira",
  "Sexta-feira",
  "Sábado",
] as const;

/** The English names begin with Sunday. */
export const dayOfWeekNames = [
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
