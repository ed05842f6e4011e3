import { expect, test } from "vitest";

import { agree, type Disputed } from "../../../src/sales/plan/agreement.js";

/** Answers by name: what each has, and when it was asked for. All are to be equal to that of the headline. */
interface Answer {
  readonly orders: number;
  readonly askedAt: number;
}

/** @param atService what the service has at each moment; the last goes on */
async function settled(answers: Record<string, Answer>, atService: readonly number[]) {
  const asked: string[] = [];
  let now = Math.max(...Object.values(answers).map(({ askedAt }) => askedAt));
  const disputed = (name: string): Disputed<string> => ({ name, askedAt: answers[name]?.askedAt ?? 0 });
  let doubted: readonly string[] = [];
  const calls = {
    mayAsk: true,
    doubt: (names: readonly string[]) => Promise.resolve(void (doubted = names)),
    announce: () => Promise.resolve(),
  };
  await agree(
    calls,
    () =>
      Object.keys(answers)
        .filter((name) => answers[name]?.orders !== answers["headline"]?.orders)
        .map((name) => [disputed(name), disputed("headline")] as const),
    () => {
      for (const name of doubted) {
        now += 1;
        asked.push(name);
        answers[name] = { orders: atService[asked.length - 1] ?? atService.at(-1) ?? 0, askedAt: now };
      }
      return Promise.resolve();
    },
  );
  return {
    asked,
    orders: Object.fromEntries(Object.entries(answers).map(([name, { orders }]) => [name, orders])),
  };
}

test("Of two answers that contradict each other the older is asked for again, and no other", async () => {
  const answers = {
    headline: { orders: 759, askedAt: 3 },
    hour: { orders: 759, askedAt: 1 },
    driver: { orders: 758, askedAt: 2 },
  };
  expect(await settled(answers, [759])).toMatchObject({ asked: ["driver"], orders: { driver: 759 } });
});

test("Where the headline is the older it is asked for again, then what it no longer equals", async () => {
  const answers = {
    headline: { orders: 758, askedAt: 1 },
    hour: { orders: 758, askedAt: 2 },
    driver: { orders: 759, askedAt: 3 },
  };
  expect(await settled(answers, [759])).toEqual({
    asked: ["headline", "hour"],
    orders: { headline: 759, hour: 759, driver: 759 },
  });
});

test("Where the clock can't tell which is the older, both are", async () => {
  const answers = { headline: { orders: 758, askedAt: 1 }, hour: { orders: 759, askedAt: 1 } };
  expect((await settled(answers, [758])).orders).toEqual({ headline: 758, hour: 758 });
});

test("Nothing is asked for where all agree, and each once alone where they never do", async () => {
  expect(
    await settled({ headline: { orders: 1, askedAt: 1 }, hour: { orders: 1, askedAt: 2 } }, [2]),
  ).toMatchObject({
    asked: [],
  });
  const restless = { headline: { orders: 1, askedAt: 1 }, hour: { orders: 2, askedAt: 2 } };
  expect((await settled(restless, [3, 4, 5, 6])).asked).toEqual(["headline", "hour"]);
});
