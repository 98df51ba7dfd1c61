/** The reference's only style sheet; its hash stands in the page's Content-Security-Policy. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d9dee5; --soft: #f4f6f9; --text: #1b2430; --faint: #5b6776;
  --link: #0b57a4; --get: #0b6b50; --post: #0b57a4; --put: #8a5200; --patch: #7a3fa0; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #323b47; --soft: #1a212a; --text: #e5eaf0;
  --faint: #9aa7b5; --link: #7db7f5; --get: #58c9a3; --post: #7db7f5; --put: #e2aa55; --patch: #c79ae8;
  --delete: #ff8a80; } body { background: #11161c; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; color: var(--text); font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; font-size: .875rem;
  border-right: 1px solid var(--line); background: var(--soft); }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase;
  color: var(--faint); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 70rem; }
a { color: var(--link); }
h1 { margin-top: 0; } h2.group { margin-top: 3rem; } h3 { margin: 0; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 .4rem; font-size: .8125rem; color: var(--faint); text-transform: uppercase;
  letter-spacing: .05em; }
section { border-top: 1px solid var(--line); padding: 1.5rem 0; }
.path { font-family: ui-monospace, monospace; overflow-wrap: anywhere; margin: .25rem 0 .75rem; }
.method { font: 700 .75rem ui-monospace, monospace; border: 1px solid currentColor; border-radius: .25rem;
  padding: .1rem .35rem; margin-right: .5rem; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
code { font: .875em ui-monospace, monospace; background: var(--soft); padding: .05em .25em; border-radius: .2rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem 1rem;
  overflow-x: auto; } pre code { background: none; padding: 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0;
  border-bottom: 1px solid var(--line); } th { color: var(--faint); font-weight: 600; }
.required { color: var(--delete); font-size: .75rem; } .who { color: var(--faint); }
td p { margin: 0 0 .25rem; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto;
  border-right: 0; border-bottom: 1px solid var(--line); } }
`;
