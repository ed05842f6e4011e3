/** Instants as a store writes them: in its own time zone, with the offset of that moment. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Minutes that the zone is ahead of UTC at an instant (milliseconds since the epoch). */
export function offsetMinutes(instant: number, timeZone: string): number {
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(formatterOf(timeZone).format(instant));
  if (!match) return 0;
  const [, sign, hours, minutes] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** ISO 8601 with the zone's offset, for example `2026-11-20T18:00:00-03:00`; whole seconds. */
export function isoInZone(instant: number, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${pad(hours)}:${pad(minutes)}`;
}
