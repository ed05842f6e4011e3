import { expect, test } from "vitest";

import { parseJson, parseJsonAnswer } from "../../src/api/json.js";

test.each([
  ['{"a":1}', { a: 1 }, { a: 1 }],
  ["null", null, null],
  ['\uFEFF{"a":1}', undefined, { a: 1 }],
  ["", undefined, undefined],
  ["\uFEFF", undefined, undefined],
  ["{", undefined, undefined],
  ['{"a":1}\0', undefined, undefined],
])("the text %j is read as JSON, and as a server's JSON", (text, json, answer) => {
  expect(parseJson(text)).toEqual(json);
  expect(parseJsonAnswer(text)).toEqual(answer);
});
