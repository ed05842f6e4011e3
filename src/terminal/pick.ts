/** One of several at a terminal: the arrows move, and what is typed leaves those that it may mean. */
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

import { t } from "../shared/language.js";

import { meantBy, type Choice } from "./choices.js";

interface Question {
  readonly message: string;
  readonly choices: readonly Choice[];
}

export const pick = createPrompt<string, Question>(({ message, choices }, done) => {
  const [status, setStatus] = useState<"idle" | "done">("idle");
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const prefix = usePrefix({ status });
  const shown = meantBy(typed, choices);
  useKeypress((key, line) => {
    // Of the shown ones none may be meant: nothing is chosen by then.
    const chosen = shown[active];
    if (isEnterKey(key) && chosen !== undefined) {
      setStatus("done");
      done(chosen.value);
    } else if (isEnterKey(key)) {
      line.write(typed);
    } else if (isUpKey(key, []) || isDownKey(key, [])) {
      line.clearLine(0);
      line.write(typed);
      const step = isUpKey(key, []) ? shown.length - 1 : 1;
      if (shown.length > 0) setActive((active + step) % shown.length);
    } else {
      setTyped(line.line);
      setActive(0);
    }
  });
  const page = usePagination({
    items: shown,
    active,
    renderItem: ({ item, isActive }) => (isActive ? styleText("cyan", `❯ ${item.name}`) : `  ${item.name}`),
    pageSize: 7,
    loop: false,
  });
  const question = `${prefix} ${styleText("bold", message)}`;
  if (status === "done") return `${question} ${styleText("cyan", shown[active]?.name ?? "")}`;
  const none = shown.length === 0 ? t`None of them is called so.` : "";
  const keys = styleText("dim", t`↑↓ moves, typing filters, Enter chooses`);
  return [`${question} ${typed}`, [page, none, keys].filter(Boolean).join("\n")];
});
