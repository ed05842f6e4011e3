import { describe, expect, test } from "vitest";

import { ordinalOf } from "../../../src/summary/merge/group-identity.js";

describe("ordinalOf", () => {
  const first = { start: "", end: "", firstDay: "2025-06-10", lastDay: "2025-10-31" };
  const second = { start: "", end: "", firstDay: "2025-11-01", lastDay: "2026-03-31" };

  test("All usual forms of a week are understood", () => {
    const forms = [
      "2025-10-29",
      "2025-W44",
      "2025W44",
      "202544",
      "44",
      44,
      "W44",
      "2025-10-27T00:00:00-03:00",
    ];
    expect(new Set(forms.map((key) => ordinalOf(key, "week", first))).size).toBe(1);
    expect(ordinalOf("2025-W44", "week", first)).toBe(ordinalOf(44, "week", second));
  });

  test("The year of a plain week or month follows from the window", () => {
    expect(ordinalOf(12, "month", second)).toBe(ordinalOf("2025-12", "month", second));
    expect(ordinalOf("03", "month", second)).toBe(ordinalOf("2026-03-01", "month", second));
    expect(ordinalOf(1, "week", second)).toBe(ordinalOf("2026-W01", "week", second));
    expect(ordinalOf(52, "week", second)).toBe(ordinalOf("2025-W52", "week", second));
  });

  test.each([null, true, "", "soon", "2025-13-01", "13", 0, -1, 1.5, "2025-10-29-1"])(
    "has none for %j",
    (key) => {
      expect(ordinalOf(key, "month", first)).toBeUndefined();
      expect(ordinalOf(key, "day", first)).toBeUndefined();
      expect(ordinalOf(5, "day", first)).toBeUndefined();
      expect(ordinalOf("2025-10-29", "status", first)).toBeUndefined();
    },
  );
});
