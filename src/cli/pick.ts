/** Lets a person choose at a terminal: the arrows move, and typed text filters the choices. */
import { styleText } from "node:util";

import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from "@inquirer/core";

import { t } from "../languages/language.js";

import { matchingChoices, type Choice } from "./choices.js";

interface Question {
  readonly message: string;
  readonly choices: readonly Choice[];
}

export const pick = createPrompt<string, Question>(({ message, choices }, done) => {
  const [status, setStatus] = useState<"idle" | "done">("idle");
  const [input, setInput] = useState("");
  const [active, setActive] = useState(0);
  const prefix = usePrefix({ status });
  const matches = matchingChoices(input, choices);
  useKeypress((key, line) => {
    // There may be no match, and then Enter chooses nothing.
    const choice = matches[active];
    if (isEnterKey(key) && choice !== undefined) {
      setStatus("done");
      done(choice.value);
    } else if (isEnterKey(key)) {
      line.write(input);
    } else if (isUpKey(key, []) || isDownKey(key, [])) {
      line.clearLine(0);
      line.write(input);
      const step = isUpKey(key, []) ? matches.length - 1 : 1;
      if (matches.length > 0) setActive((active + step) % matches.length);
    } else {
      setInput(line.line);
      setActive(0);
    }
  });
  const page = usePagination({
    items: matches,
    active,
    renderItem: ({ item, isActive }) => (isActive ? styleText("cyan", `❯ ${item.name}`) : `  ${item.name}`),
    pageSize: 7,
    loop: false,
  });
  const question = `${prefix} ${styleText("bold", message)}`;
  if (status === "done") return `${question} ${styleText("cyan", matches[active]?.name ?? "")}`;
  const noMatch = matches.length === 0 ? t`None of them is called so.` : "";
  const keys = styleText("dim", t`↑↓ moves, typing filters, Enter chooses`);
  return [`${question} ${input}`, [page, noMatch, keys].filter(Boolean).join("\n")];
});
