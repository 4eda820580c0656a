/** The style of the page. Colours keep a contrast of 4.5 to 1 for text, and differ in lightness for those who don't see them. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #5b6470; --paper: #fff; --card: #f5f6f8; --line: #dde1e6;
  --hue0: #2563c9; --hue1: #6fa3ea; --hue2: #15803d; --hue3: #7ec295; --names: #9aa3ae; --frame: #c9ced6; --warn: #9a5b00; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --quiet: #a3acb8; --paper: #14171a; --card: #1e2227; --line: #343a42;
    --hue0: #6ea8fe; --hue1: #2f62b5; --hue2: #5cc98a; --hue3: #2a7d4c; --names: #6b7480; --frame: #454c55; --warn: #f0b45b; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; } h1 small { color: var(--quiet); font-weight: 400; font-size: 1.25rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.1rem; }
.quiet { color: var(--quiet); margin: .25rem 0 0; }
blockquote { margin: 1.5rem 0 0; padding: .75rem 1rem; border-left: 3px solid var(--hue0); background: var(--card); white-space: pre-wrap; }
.bar { display: flex; height: 2.25rem; gap: 1px; border-radius: .4rem; overflow: hidden; background: var(--card); border: 1px solid var(--line); }
.bar span { flex-basis: 0; min-width: 0; }
.hue0 { background: var(--hue0); } .hue1 { background: var(--hue1); } .hue2 { background: var(--hue2); } .hue3 { background: var(--hue3); }
.names { background: var(--names); } .frame { background: var(--frame); } .unused { background: var(--card); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .6rem 0 0; padding: 0; list-style: none; font-size: .9rem; color: var(--quiet); }
.legend b { color: var(--ink); font-weight: 600; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .45rem; border-radius: .2rem; border: 1px solid var(--line); vertical-align: -1px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { color: var(--quiet); font-weight: 500; } tbody th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.share { width: 7rem; min-width: 5rem; } .share i { display: block; height: .7rem; margin-top: .42rem; border-radius: .2rem; }
@media (max-width: 44rem) {
  thead, .share { display: none; } tbody tr { display: grid; grid-template-columns: 1fr auto 3rem 3rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { border: 0; padding: 0 0 0 .75rem; } tbody th { padding: 0; } tbody td:last-child { grid-column: 1 / -1; padding: 0; color: var(--quiet); }
}
details { margin-top: 1rem; } summary { cursor: pointer; color: var(--quiet); }
.ids { margin: .5rem 0 0; line-height: 2; }
code { display: inline-block; max-width: 100%; line-height: 1.4; padding: .1rem .35rem; border-radius: .25rem; background: var(--card); font: .85em ui-monospace, monospace; }
dd { margin: 0 0 1rem; } dd p { margin: .1rem 0; color: var(--quiet); }
.remark, li.warning { color: var(--warn); } li.error { color: var(--bad); }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); white-space: pre-wrap; font: .82rem/1.55 ui-monospace, monospace; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
