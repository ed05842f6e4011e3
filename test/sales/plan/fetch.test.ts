import { describe, expect, test } from "vitest";

import type { Group } from "../../../src/contract/models.js";
import { fetchGrouped, fetchSummary } from "../support/fetch.js";
import type { Window } from "../../../src/sales/period/windows.js";

function window(firstDay: string, lastDay: string): Window {
  return { start: firstDay, end: lastDay, firstDay, lastDay };
}

const windows = [
  window("2025-06-10", "2025-10-31"),
  window("2025-11-01", "2026-03-31"),
  window("2026-04-01", "2026-08-10"),
];
const single = windows.slice(0, 1);

function summary(total_order_count: number, total_revenue: number, average_order_value = 0) {
  return { total_order_count, total_revenue, average_order_value };
}

function group(key: Group["key"], orders = 1, label: string | null = null): Group {
  return { key, label, total_order_count: orders, total_revenue: orders * 10, average_order_value: 10 };
}

/** Answers with one list of groups for each window. */
function grouped(dimension: Parameters<typeof fetchGrouped>[0]["dimension"], ...lists: Group[][]) {
  const answers = lists.values();
  return fetchGrouped({
    windows: windows.slice(0, lists.length),
    dimension,
    fetch: () => Promise.resolve({ group_by: dimension, groups: answers.next().value ?? [] }),
  });
}

async function keys(...given: Parameters<typeof grouped>): Promise<[Group["key"], number][]> {
  const {
    grouped: { groups },
  } = await grouped(...given);
  return groups.map(({ key, total_order_count }) => [key, total_order_count]);
}

describe("fetchSummary", () => {
  test("A single summary is given on as it came", async () => {
    const answer = { ...summary(3, 100, 33.33), currency: "BRL", nested: { a: [1] } };
    expect(await fetchSummary({ windows: single, fetch: () => Promise.resolve(answer) })).toBe(answer);
  });

  test("Summaries are added in cents, and the average is rounded half up", async () => {
    const answers = [summary(1, 0.1), summary(1, 0.2), summary(0, 0)].values();
    const merged = await fetchSummary({
      windows,
      fetch: () => Promise.resolve(answers.next().value ?? summary(0, 0)),
    });
    expect(merged).toEqual(summary(2, 0.3, 0.15));
    const odd = [summary(1, 0.1), summary(1, 0.11), summary(0, 0)].values();
    expect(
      await fetchSummary({ windows, fetch: () => Promise.resolve(odd.next().value ?? summary(0, 0)) }),
    ).toEqual(summary(2, 0.21, 0.11));
  });

  test("One window is asked for after another", async () => {
    const said: string[] = [];
    await fetchSummary({
      windows,
      fetch: async (asked) => {
        said.push(`ask ${asked.start}`);
        await Promise.resolve();
        said.push("answer");
        return summary(0, 0);
      },
    });
    expect(said).toEqual([
      "ask 2025-06-10",
      "answer",
      "ask 2025-11-01",
      "answer",
      "ask 2026-04-01",
      "answer",
    ]);
  });

  test("There are no figures of half a period", async () => {
    let calls = 0;
    const failing = fetchSummary({
      windows,
      fetch: () => (++calls === 2 ? Promise.reject(new Error("no")) : Promise.resolve(summary(1, 1))),
    });
    await expect(failing).rejects.toThrow("no");
    expect(calls).toBe(2);
  });

  test.each([
    [1.005, 1.01],
    [1.004999, 1],
    [0.005, 0.01],
    [1e-7, 0],
    [99.999, 100],
  ])("The amount %d is rounded to %d, with one warning", async (given, rounded) => {
    for (const asked of [single, windows]) {
      const warnings: string[] = [];
      const answer = { ...summary(2, given, given), more: true };
      const figures = await fetchSummary({
        windows: asked,
        fetch: (one) => Promise.resolve(one === windows[0] ? answer : summary(0, 0)),
        onWarning: (message) => void warnings.push(message),
      });
      expect(figures.total_revenue).toBe(rounded);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(String(given));
    }
  });

  test.each([1e21, 1e15, 9e307])(
    "The amount %d is refused, since it can't be counted in cents",
    async (amount) => {
      const figures = fetchSummary({ windows, fetch: () => Promise.resolve(summary(1, amount)) });
      await expect(figures).rejects.toMatchObject({ code: "unexpected_answer" });
    },
  );
});

describe("fetchGrouped", () => {
  test("A single grouped answer is given on as it came", async () => {
    const answer = { group_by: "something", groups: [{ ...group("b"), colour: "red" }, group("a")], page: 1 };
    const { grouped: given } = await fetchGrouped({
      windows: single,
      dimension: "status",
      fetch: () => Promise.resolve(answer),
    });
    expect(given).toEqual(answer);
    expect(given.groups[0]).toBe(answer.groups[0]);
  });

  test("Groups are merged by key and its type; null is a key of its own", async () => {
    expect(
      await keys(
        "customer_origin",
        [group(null), group("null"), group(1)],
        [group("1"), group(null), group(1)],
      ),
    ).toEqual([
      ["1", 1],
      [null, 2],
      ["null", 1],
      [1, 2],
    ]);
  });

  test("Two drivers of one name stay apart, and a renamed one has its newest name", async () => {
    const { grouped: given } = await grouped(
      "driver_id",
      [group(1, 1, "Ana"), group(2, 1, "Ana"), group(null, 1, "Não informado")],
      [group(1, 1, "Ana B."), group(2, 3, null)],
    );
    expect(given.groups.map(({ key, label, total_order_count }) => [key, label, total_order_count])).toEqual([
      [1, "Ana B.", 2],
      [2, "Ana", 4],
      [null, "Não informado", 1],
    ]);
  });

  test.each<[Group["key"][], Group["key"][], Group["key"][]]>([
    [
      [10, 12],
      [9, 12],
      [9, 10, 12],
    ],
    [
      ["10", "12"],
      ["9", "12"],
      ["9", "10", "12"],
    ],
    [["10:00", "23:00"], ["09:00"], ["09:00", "10:00", "23:00"]],
    [
      ["tue", "fri"],
      ["mon", "tue", "wed", "sat"],
      ["mon", "tue", "fri", "wed", "sat"],
    ],
    [
      [1, 2, 0],
      [1, 3, 0],
      [1, 2, 3, 0],
    ],
  ])("Keys %j and %j are merged in the order %j", async (first, second, merged) => {
    const given = await keys(
      "day_of_week",
      first.map((key) => group(key)),
      second.map((key) => group(key)),
    );
    expect(given.map(([key]) => key)).toEqual(merged);
  });

  test("Months without a year are never merged across years", async () => {
    for (const [june, july, november, december] of [
      [6, 7, 11, 12],
      ["06", "07", "11", "12"],
      ["jun", "jul", "nov", "dez"],
    ]) {
      if (june === undefined || july === undefined || november === undefined || december === undefined)
        throw new Error("four");
      expect(
        await keys(
          "month",
          [group(june)],
          [group(november), group(december)],
          [group(june, 5), group(july, 7)],
        ),
      ).toEqual([
        [june, 1],
        [november, 1],
        [december, 1],
        [june, 5],
        [july, 7],
      ]);
    }
  });

  test("A week that the seam cuts becomes one again, and no other does", async () => {
    // 2025-11-01 is a Saturday, of the week of 27 October.
    for (const [cut, next] of [
      [44, 45],
      ["2025-W44", "2025-W45"],
      ["2025-10-27", "2025-11-03"],
      ["sem. 44", "sem. 45"],
    ]) {
      if (cut === undefined || next === undefined) throw new Error("two");
      expect(await keys("week", [group(cut, 2)], [group(cut, 3), group(next)])).toEqual([
        [cut, 5],
        [next, 1],
      ]);
    }
    // Week 30 of 2025 and of 2026.
    expect(await keys("week", [group(30)], [group(48)], [group(30)])).toEqual([
      [30, 1],
      [48, 1],
      [30, 1],
    ]);
  });

  test("Days stand in time's order where the service gives another", async () => {
    const days = await keys("day", [group("2025-07-02"), group("2025-07-01")], [group("2025-12-01")]);
    expect(days.map(([key]) => key)).toEqual(["2025-07-01", "2025-07-02", "2025-12-01"]);
  });

  test("A field that can't be added up is left out", async () => {
    const { grouped: given } = await grouped(
      "status",
      [Object.assign(group("a"), { share: 0.5 })],
      [Object.assign(group("a"), { share: 0.1 })],
    );
    expect(given.groups).toEqual([group("a", 2)]);
  });
});
