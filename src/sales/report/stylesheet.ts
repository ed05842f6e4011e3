/** The report looks like this in light, in dark and on paper, from 320 pixels of width. Fonts are the system's. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f3; --surface: #ffffff; --text: #1b2421; --muted: #56625d; --line: #d9dedb;
  --revenue: #0b6b5d; --orders: #a35b00; --up: #0b6b5d; --down: #a8261c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #101614; --surface: #18211e; --text: #e9efec; --muted: #a3b1ab; --line: #2d3935;
    --revenue: #4fd1b8; --orders: #f0b45a; --up: #4fd1b8; --down: #ff9d92;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
main { max-width: 70rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem) 1rem 1rem; display: grid; gap: 1.25rem; }
main > * { min-width: 0; }
h1, h2, h3, p, dl, dd, figure { margin: 0; }
h1 { font-size: clamp(1.5rem, 5vw, 2.25rem); line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1.125rem; line-height: 1.35; margin-bottom: 0.75rem; }
h3 { font-size: 1rem; margin: 0.75rem 0 0.25rem; }
h1, h3, p, dd, th, td, code { overflow-wrap: anywhere; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
.kicker { color: var(--revenue); font-weight: 650; font-size: 0.875rem; }
.muted, small { color: var(--muted); }
small { display: block; font-size: 0.75rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: grid; gap: 0.25rem; }

.headline dl { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.card, .block { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: clamp(0.75rem, 3vw, 1.5rem); }
.card dt { color: var(--muted); font-size: 0.875rem; font-weight: 600; }
.card dd { font-size: 0.875rem; }
.card dd.figure { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.trend { font-weight: 600; }
.trend.up { color: var(--up); }
.trend.down, .problem { color: var(--down); }

.pictures { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(2, minmax(0, 1fr)); margin-bottom: 1rem; }
.pictures.full { grid-template-columns: minmax(0, 1fr); }
figcaption { color: var(--muted); font-size: 0.875rem; font-weight: 600; }
.legend { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 0.375rem; margin-left: 0.75rem; font-size: 0.75rem; font-weight: 400; }
.key { display: inline-block; width: 0.5rem; height: 0.75rem; border-radius: 2px; }
.key.revenue { background: var(--revenue); }
.key.orders { background: var(--orders); }
.key.before { width: 1rem; margin-left: 0.5rem; background: var(--line); border: 1px solid var(--muted); }
.top { color: var(--muted); font-size: 0.75rem; border-bottom: 1px dotted var(--line); }
.columns { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--muted); }
.axis { display: flex; color: var(--muted); font-size: 0.75rem; }
.axis span { flex: 1 1 0; min-width: 0; white-space: nowrap; }
.axis.each { font-size: clamp(0.5rem, 2.2vw, 0.75rem); text-align: center; }
.bar { display: block; width: 100%; margin-top: 0.125rem; }
rect.revenue { fill: var(--revenue); }
rect.orders { fill: var(--orders); }
rect.before { fill: var(--line); stroke: var(--muted); stroke-width: 1; vector-effect: non-scaling-stroke; }

table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding: 0.25rem 0 0.5rem; font-size: 0.8125rem; }
th, td { padding: 0.375rem 0 0.375rem 1rem; border-top: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child { text-align: left; padding-left: 0; font-weight: 500; width: 40%; }
.compared th:first-child { width: 24%; }
thead th { border-top: 0; color: var(--muted); font-weight: 600; }
summary { cursor: pointer; color: var(--muted); padding: 0.5rem 0; font-size: 0.875rem; font-weight: 600; }
summary:focus-visible { outline: 3px solid var(--revenue); outline-offset: 4px; border-radius: 4px; }
footer { max-width: 70rem; margin: 0 auto; padding: 0.5rem 1rem 2rem; color: var(--muted); font-size: 0.8125rem; }

@media (max-width: 60rem) {
  table { font-size: 0.8125rem; }
  th, td { padding-left: 0.5rem; }
}
@media (max-width: 44rem) {
  .pictures { grid-template-columns: minmax(0, 1fr); }
}
@media screen and (max-width: 34rem) {
  table, thead, tbody, caption { display: block; width: 100%; }
  tr { display: grid; grid-template-columns: minmax(0, 0.7fr) repeat(2, minmax(0, 1fr)); gap: 0 0.375rem; border-top: 1px solid var(--line); padding: 0.375rem 0; }
  thead tr { border-top: 0; }
  th, td { border: 0; padding: 0; }
  th:first-child, .compared th:first-child, td.problem { grid-column: 1 / -1; width: auto; }
  td.problem { text-align: left; }
  .compared tr > :nth-child(5) { grid-column: 2; }
}
@media screen and (max-width: 24rem) {
  main { padding-inline: 0.5rem; }
  table { font-size: 0.75rem; }
}
@media print {
  body { background: none; font-size: 10pt; }
  main { padding: 0; max-width: none; }
  .card, .block { border-color: #bbb; }
  figure, tr, .card { break-inside: avoid; }
  rect, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { break-after: avoid; }
  summary { display: none; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}
`;
