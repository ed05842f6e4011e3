/** Shows what has changed against the period before. */
import type { Change } from "../compare/metrics.js";
import { t } from "../../shared/language.js";

/**
 * Shows the direction by sign, arrow and colour, so that a reader needs to see only one of them.
 *
 * @param text is the change as it is written, with its sign
 */
export function Trend({ change: { absolute }, text }: { readonly change: Change; readonly text: string }) {
  if (absolute === 0) return <span class="trend">{t`unchanged`}</span>;
  return (
    <span class={absolute > 0 ? "trend up" : "trend down"}>
      <span aria-hidden="true">{absolute > 0 ? "▲ " : "▼ "}</span>
      {text}
    </span>
  );
}
