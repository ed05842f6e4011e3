/** What has changed against the period before. */
import type { Change } from "../compare/metrics.js";
import { t } from "../../shared/language.js";

/**
 * Direction by sign, arrow and colour, so that none of them has to be seen.
 *
 * @param text the change as it is written, with its sign
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
