/** Periods and dates as people in Brazil type them, whatever language comanda speaks: `mês-passado`, `21/11/2026`. */
import { plainWords } from "../../shared/plain-words.js";

/** Portuguese names, each with the English one. */
const names: ReadonlyMap<string, string> = new Map([
  ["hoje", "today"],
  ["ontem", "yesterday"],
  ["esta-semana", "this-week"],
  ["semana-passada", "last-week"],
  ["última-semana", "last-week"],
  ["este-mês", "this-month"],
  ["mês-passado", "last-month"],
  ["último-mês", "last-month"],
  ["este-ano", "this-year"],
  ["ano-passado", "last-year"],
  ["último-ano", "last-year"],
]);

/** The names that suggestions are made from. */
export const portugueseNames: readonly string[] = [...names.keys(), "últimos-7-dias", "últimos-30-dias"];

const byPlainName = new Map([...names].map(([name, english]) => [plainWords(name), english]));

/** The period by comanda's own name: `last-month`, `last-7-days`, `2026-11`; anything else as it was typed. */
export function canonicalPeriod(typed: string): string {
  const word = plainWords(typed);
  const days = /^ultim[oa]s-(\d{1,5})-dias?$/.exec(word)?.[1];
  if (days !== undefined) return `last-${days}-days`;
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(word) ?? [];
  if (month !== undefined && year !== undefined) return `${year}-${month.padStart(2, "0")}`;
  return byPlainName.get(word) ?? canonicalDate(typed);
}

/** `21/11/2026` as `2026-11-21`; anything else as it was typed. */
export function canonicalDate(typed: string): string {
  const [, day, month, year] = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(typed) ?? [];
  if (day === undefined || month === undefined || year === undefined) return typed;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
