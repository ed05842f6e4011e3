/**
 * Every page looks like this in light and dark, from 360 pixels of width. Fonts are the system's, and there is one
 * accent colour.
 */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f3, #101614);
  --surface: light-dark(#ffffff, #18211e);
  --text: light-dark(#1b2421, #e9efec);
  --muted: light-dark(#56625d, #a3b1ab);
  --line: light-dark(#d9dedb, #2d3935);
  --field: light-dark(#7c8984, #7f8f88);
  --accent: light-dark(#0b6b5d, #4fd1b8);
  --accent-strong: light-dark(#08534a, #7be3cf);
  --on-accent: light-dark(#ffffff, #06211c);
  --tint: light-dark(#e6f2ef, #17302a);
  --danger: light-dark(#a8261c, #ff9d92);
  --note: light-dark(#fdf4dc, #33290d);
  --note-text: light-dark(#5b4300, #f3dc9b);
  --shadow: 0 1px 2px light-dark(rgb(20 40 34 / 6%), rgb(0 0 0 / 40%)), 0 12px 32px -12px light-dark(rgb(20 40 34 / 18%), rgb(0 0 0 / 60%));
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
h1, h2, h3, p, ol, ul, dl, dd, fieldset { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.35; }
h3, legend { font-size: 0.875rem; font-weight: 600; color: var(--muted); }
h1, h2, p, li, dd, .choice { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: 0.5rem 1rem; z-index: 1; }

.top {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 1rem;
  padding: 0.875rem clamp(1rem, 4vw, 2rem);
  border-bottom: 1px solid var(--line);
  background: var(--surface);
}
.brand { display: inline-flex; align-items: center; gap: 0.625rem; font-weight: 650; color: inherit; text-decoration: none; }
.brand:hover { color: inherit; }
.brand img { width: 1.75rem; height: 1.75rem; }
.badge {
  padding: 0.125rem 0.5rem;
  border-radius: 999px;
  background: var(--note);
  color: var(--note-text);
  font-size: 0.8125rem;
  font-weight: 600;
  text-decoration: none;
}
.badge:hover { color: var(--note-text); text-decoration: underline; }
.who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 0.875rem; color: var(--muted); }

main { flex: 1; width: 100%; max-width: 34rem; margin: 0 auto; padding: clamp(1.25rem, 6vh, 4rem) 1rem 2rem; }
main.wide { max-width: 46rem; }
.card {
  display: grid;
  gap: 1.5rem;
  padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 1rem;
  box-shadow: var(--shadow);
}
.card > *, .stack > * { min-width: 0; }
.stack { display: grid; gap: 0.5rem; }
.stack.loose { gap: 1.25rem; }
.muted { color: var(--muted); }
.small { font-size: 0.875rem; }
.foot { padding: 0 1rem 1.5rem; text-align: center; font-size: 0.8125rem; color: var(--muted); }

fieldset { border: 0; min-width: 0; display: grid; gap: 0.5rem; }
legend { padding: 0; margin-bottom: 0.5rem; }
.choice {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.125rem 0.75rem;
  align-items: start;
  padding: 0.75rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: 0.625rem;
  cursor: pointer;
}
.choice:hover { border-color: var(--field); }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice input { width: 1.125rem; height: 1.125rem; margin: 0.2rem 0 0; accent-color: var(--accent); outline: none; }
.choice strong { font-weight: 600; }
.choice .small { display: block; }
.role { font-size: 0.8125rem; font-weight: 600; color: var(--accent); }
.role.other { color: var(--muted); }

.permissions { list-style: none; display: grid; gap: 0; border: 1px solid var(--line); border-radius: 0.625rem; }
.permissions li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: 0.75rem; padding: 0.625rem 0.875rem; }
.permissions li + li { border-top: 1px solid var(--line); }
.permissions li::before { content: "\\2713" / ""; color: var(--accent); font-weight: 700; }
.permissions code { color: var(--muted); }

.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.actions > * { flex: 1 1 9rem; }
button, .button {
  appearance: none;
  display: inline-block;
  min-height: 2.75rem;
  padding: 0.5rem 1.125rem;
  border: 1px solid var(--field);
  border-radius: 0.625rem;
  background: transparent;
  color: var(--text);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { border-color: var(--text); color: var(--text); }
button:focus-visible, .button:focus-visible { border-radius: 0.625rem; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
button.danger { color: var(--danger); border-color: currentcolor; }
button.link {
  min-height: 0;
  padding: 0.125rem 0;
  border: 0;
  color: var(--accent);
  font-weight: 500;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
button.link:hover { color: var(--accent-strong); }
.who button.link { font-size: inherit; }

.alert { padding: 0.75rem 0.875rem; border-left: 4px solid var(--danger); border-radius: 0.375rem; background: var(--ground); }
.note { padding: 0.75rem 0.875rem; border-radius: 0.625rem; background: var(--note); color: var(--note-text); font-size: 0.875rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1rem; }
.row > :first-child { flex: 1 1 14rem; min-width: 0; }
.row + .row { border-top: 1px solid var(--line); padding-top: 1rem; }
.key { overflow-wrap: anywhere; white-space: normal; font-size: 1rem; }
.links { display: grid; gap: 0.75rem; list-style: none; }
.links code, .requests code { white-space: normal; overflow-wrap: anywhere; }
.links > li { min-width: 0; }
.counts { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; list-style: none; }
.requests { display: grid; gap: 0.375rem; list-style: none; font-size: 0.9375rem; }

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
`;

/** The icon is a slip of paper with three lines. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b6b5d"/>
<path d="M9 6h14v20l-2.33-2-2.34 2L16 24l-2.33 2-2.34-2L9 26z" fill="#fff"/>
<path d="M12 11h8M12 15h8M12 19h5" stroke="#0b6b5d" stroke-width="1.8" stroke-linecap="round"/>
</svg>
`;
