import { afterAll, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Desk } from "../support/desk.js";

const desk = new Desk();
afterAll(() => desk.remove());

test("--json has errors as JSON too", async () => {
  const { stderr } = await desk.run(["orders", "dispatch", "1", "--json"]);
  expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 3 } });
});
