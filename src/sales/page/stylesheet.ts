/** The report looks like this in light, in dark and on paper, from 320 pixels of width. Fonts are the system's. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f3;
  --surface: #ffffff;
  --text: #1b2421;
  --muted: #56625d;
  --line: #d9dedb;
  --revenue: #0b6b5d;
  --orders: #a35b00;
  --up: #0b6b5d;
  --down: #a8261c;
  --heat-1: #e3f1ee;
  --heat-2: #b5dbd3;
  --heat-3: #16796a;
  --heat-4: #064c42;
  --heat-text: #ffffff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #101614;
    --surface: #18211e;
    --text: #e9efec;
    --muted: #a3b1ab;
    --line: #2d3935;
    --revenue: #4fd1b8;
    --orders: #f0b45a;
    --up: #4fd1b8;
    --down: #ff9d92;
    --heat-1: #1c332e;
    --heat-2: #1f5247;
    --heat-3: #4fbfaa;
    --heat-4: #8ff0dc;
    --heat-text: #0b1210;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
main { max-width: 70rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem) 1rem 1rem; display: grid; gap: 1.25rem; }
main > * { min-width: 0; }
h1, h2, p, dl, dd, figure { margin: 0; }
h1 { font-size: clamp(1.5rem, 5vw, 2.25rem); line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1.125rem; line-height: 1.35; margin-bottom: 0.75rem; }
h1, p, dd, th, td, code { overflow-wrap: anywhere; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
.kicker { color: var(--revenue); font-weight: 650; font-size: 0.875rem; }
.muted { color: var(--muted); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: grid; gap: 0.25rem; }

.headline dl { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.headline > p { margin-top: 0.75rem; }
.card, .block { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: clamp(1rem, 3vw, 1.5rem); }
.card { container-type: inline-size; }
.card dt { color: var(--muted); font-size: 0.875rem; font-weight: 600; }
.card dd { font-size: 0.875rem; }
.card dd.figure { font-size: 1.5rem; font-size: clamp(1.125rem, 11cqi, 2rem); line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.trend { font-weight: 600; color: var(--text); }
.trend.up { color: var(--up); }
.trend.down, .problem { color: var(--down); }

.pictures { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(2, minmax(0, 1fr)); margin-bottom: 1rem; }
.pictures.full { grid-template-columns: minmax(0, 1fr); }
figcaption { color: var(--muted); font-size: 0.875rem; font-weight: 600; margin-bottom: 0.25rem; }
.legend { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 0.375rem; margin-left: 0.75rem; font-size: 0.75rem; font-weight: 400; }
.key { display: inline-block; width: 0.5rem; height: 0.75rem; border-radius: 2px; }
.key.revenue { background: var(--revenue); }
.key.orders { background: var(--orders); }
.key.before { width: 1rem; margin-left: 0.5rem; background: var(--line); border: 1px solid var(--muted); }
.picture { display: block; width: 100%; height: auto; }
.picture.narrow { display: none; }

table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding: 0.25rem 0 0.5rem; font-size: 0.8125rem; }
th, td { padding: 0.375rem 0 0.375rem 1rem; border-top: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child { text-align: left; padding-left: 0; font-weight: 500; }
thead th { border-top: 0; color: var(--muted); font-weight: 600; }
th:first-child { width: 40%; }
.compared th:first-child { width: 24%; }
.line svg { width: 100%; display: block; }
.line polyline { fill: none; stroke: var(--revenue); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.folded { padding-block: 0.375rem; }
.folded + .folded { margin-top: -0.75rem; }
.folded h2 { display: inline; margin: 0; }
.folded details[open] > summary { margin-bottom: 0.75rem; }
summary { cursor: pointer; color: var(--muted); padding: 0.5rem 0; font-size: 0.875rem; font-weight: 600; }
summary:focus-visible { outline: 3px solid var(--revenue); outline-offset: 4px; border-radius: 4px; }
.heat th, .heat td { text-align: center; padding: 0.375rem 0.125rem; }
.heat th:first-child { width: 3.5rem; }
.heat abbr { text-decoration: none; }
.heat .h0 { color: var(--muted); }
.heat .h1 { background: var(--heat-1); }
.heat .h2 { background: var(--heat-2); }
.heat .h3 { background: var(--heat-3); color: var(--heat-text); }
.heat .h4 { background: var(--heat-4); color: var(--heat-text); font-weight: 650; }
footer { max-width: 70rem; margin: 0 auto; padding: 0.5rem 1rem 2rem; color: var(--muted); font-size: 0.8125rem; }

@media (min-width: 30.01rem) and (max-width: 60rem) {
  table:not(.heat) { font-size: 0.8125rem; }
  table:not(.heat) :is(th, td):not(:first-child) { padding-left: 0.5rem; }
  table.drawn { font-size: 0.75rem; }
  table.drawn th:first-child { width: 15%; }
}
@media (max-width: 44rem) {
  .pictures { grid-template-columns: minmax(0, 1fr); }
  .picture.wide { display: none; }
  .picture.narrow { display: block; max-width: 26rem; }
}
@media (max-width: 30rem) {
  table:not(.heat), table:not(.heat) :is(thead, tbody, caption) { display: block; width: 100%; }
  table:not(.heat) tr { display: grid; grid-template-columns: 4rem minmax(0, 1fr) minmax(0, 1fr); border-top: 1px solid var(--line); padding: 0.375rem 0; }
  table:not(.heat) :is(th, td) { border: 0; padding: 0; overflow-wrap: anywhere; }
  thead tr { border-top: 0; }
  table:not(.heat) th:first-child, td.problem { grid-column: 1 / -1; width: auto; }
  td.problem { text-align: left; }
  .compared:not(.drawn) tr > :nth-child(5) { grid-column: 2; }
  table.drawn { font-size: 0.8125rem; }
  table.drawn thead { font-size: 0.75rem; }
  table.drawn tr { grid-template-columns: 3.25rem minmax(0, 1.15fr) minmax(0, 1fr) 4.25rem; align-items: center; }
  table.drawn th:first-child { grid-column: 1 / 4; }
  .compared.drawn tr > :nth-child(6) { display: none; }
  .heat { font-size: 0.8125rem; }
  .heat thead th { font-size: 0.75rem; font-weight: 500; }
  .heat th:first-child { width: 2.75rem; }
  .heat :is(th, td) { padding-inline: 0; overflow-wrap: normal; }
}
@media (max-width: 24rem) {
  main { padding-inline: 0.75rem; }
  .card, .block { padding: 0.75rem; }
  table { font-size: 0.8125rem; }
  table.drawn tr { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 0.5rem; }
  table.drawn th:first-child { grid-column: 1; }
}
@media print {
  body { background: none; font-size: 10pt; }
  main { padding: 0; max-width: none; }
  .card, .block { border-color: #bbb; }
  figure, tr, .card { break-inside: avoid; }
  h2 { break-after: avoid; }
  summary { display: none; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}
`;
