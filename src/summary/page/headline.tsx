/** The three figures that everybody looks at first. */
import type { Change } from "../compare/metrics.js";
import type { Report } from "./report.js";

export function Headline({ report }: { readonly report: Report }) {
  const { metrics, previous, change, format } = report;
  const cards = [
    { title: "Revenue", name: "total_revenue", show: format.amount },
    { title: "Orders", name: "total_order_count", show: format.count },
    { title: "Average order", name: "average_order_value", show: format.amount },
  ] as const;
  return (
    <section aria-labelledby="headline" class="headline">
      <h2 id="headline" class="hidden">
        Headline figures
      </h2>
      <dl>
        {cards.map(({ title, name, show }) => (
          <div class="card">
            <dt>{title}</dt>
            <dd class="figure">{show(metrics[name])}</dd>
            {previous && change && (
              <dd class="muted">
                <Trend change={change[name]} text={format.percentChange(change[name].percent)} />
                {` against ${show(previous[name])}`}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Direction by sign, arrow and colour, so that none of them has to be seen. */
function Trend({ change: { absolute }, text }: { readonly change: Change; readonly text: string }) {
  if (absolute === 0) return <span class="trend">unchanged</span>;
  return (
    <span class={absolute > 0 ? "trend up" : "trend down"}>
      <span aria-hidden="true">{absolute > 0 ? "▲ " : "▼ "}</span>
      {text}
    </span>
  );
}
