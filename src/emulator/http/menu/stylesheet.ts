/** The menu's pages add this to the look of the portal. */
export const menuStyles = `
ol { margin: 0; padding: 0; }
main.menu { max-width: 38rem; padding-top: clamp(1rem, 4vh, 3rem); }
.brand bdi { overflow-wrap: anywhere; min-width: 0; }
.heading { display: flex; align-items: start; justify-content: space-between; gap: 0.5rem 1rem; }
.heading > .stack { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.kind {
  flex: none;
  padding: 0.25rem 0.75rem;
  border-radius: 999px;
  background: var(--tint);
  color: var(--accent);
  font-size: 0.875rem;
  font-weight: 600;
}
.lines {
  list-style: none;
  display: grid;
  grid-template-columns: minmax(2.25rem, max-content) minmax(0, 1fr) auto;
  gap: 0 0.5rem;
}
.lines > li {
  grid-column: 1 / -1;
  display: grid;
  grid-template-columns: subgrid;
  row-gap: 0.375rem;
  padding: 1rem 0;
  border-top: 1px solid var(--line);
}
.lines > li:first-child { padding-top: 0; border-top: 0; }
.lines > li:last-child { padding-bottom: 0; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.quantity { color: var(--accent); font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.details { grid-column: 2 / -1; display: grid; gap: 0.375rem; min-width: 0; }
.details:empty { display: none; }
.amount, .totals dd, .options > li > :last-child:not(:first-child) { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.amount { font-weight: 600; }
.options { list-style: none; display: grid; gap: 0.25rem; }
.options > li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.75rem; }
.options > li > :first-child { overflow-wrap: anywhere; }
.steps { list-style: none; display: grid; gap: 0.625rem; padding-left: 0.75rem; border-left: 3px solid var(--tint); }
.steps > li { display: grid; gap: 0.125rem; min-width: 0; overflow-wrap: anywhere; }
.steps .observation { margin-top: 0.25rem; }
.observation { padding: 0.375rem 0.625rem; border-radius: 0.5rem; background: var(--ground); white-space: pre-wrap; }
.totals { display: grid; gap: 0.375rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.totals > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.totals .total { font-size: 1.125rem; font-weight: 650; }
.facts { display: grid; gap: 0.5rem; }
.facts > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 0.75rem; }
.facts dd { white-space: pre-wrap; }
a.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
a.button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
`;
