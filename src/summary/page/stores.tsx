/** The stores of a report over several, those that gave no figures included. */
import { flatten } from "../present/text.js";
import type { Report } from "./report.js";

export function Stores({ report: { stores, format } }: { readonly report: Report }) {
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">By store</h2>
      <table role="table">
        <caption role="caption">Orders and revenue by store</caption>
        <thead role="rowgroup">
          <tr role="row">
            {["Store", "Orders", "Revenue", "Average"].map((heading) => (
              <th role="columnheader" scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {stores.map(({ store, metrics, problem }) => (
            <tr role="row">
              <th role="rowheader" scope="row">
                <bdi>{store}</bdi>
              </th>
              {metrics ? (
                [
                  format.count(metrics.total_order_count),
                  format.amount(metrics.total_revenue),
                  format.amount(metrics.average_order_value),
                ].map((text) => <td role="cell">{text}</td>)
              ) : (
                <td role="cell" colspan={3} class="problem">
                  {`Not covered: ${flatten(problem ?? "no figures")}`}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
