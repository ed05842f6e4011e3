import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import { createWallClock } from "../../../src/emulator/domain/time.js";
import { zones } from "./fixture.js";

function wall(instant: number, zone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  return local.toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds;
}

describe.each(zones)("the wall clock of %s", (zone) => {
  test("shows what the calendar says, whatever was asked before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: Date.parse("2023-01-01"), max: Date.parse("2027-01-01") }), {
          maxLength: 20,
        }),
        (instants) => {
          const clock = createWallClock(zone);
          for (const instant of instants) expect(clock.at(instant)).toBe(wall(instant, zone));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("changes at the very millisecond", () => {
    const clock = createWallClock(zone);
    let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`2023-01-01T00:00[${zone}]`);
    for (let count = 0; count < 6; count += 1) {
      at = at.getTimeZoneTransition("next");
      if (at === null) return;
      for (const offset of [-1, 0, 1]) {
        const instant = at.epochMilliseconds + offset;
        expect(clock.at(instant)).toBe(wall(instant, zone));
      }
    }
  });
});
