/** Supports light and dark, wide and narrow. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f5f5f5, #222) }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 80rem; color: light-dark(#222, #ddd); background: light-dark(#fff, #181818) }
a { color: light-dark(#0b57d0, #8ab4f8) }
h1 { font-size: 1.5rem } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) } h3 { font-size: 1.1rem; margin: 2.5rem 0 .3rem } h4 { margin: 1rem 0 .3rem }
h3 a { color: inherit; text-decoration: none } h3 a:hover { text-decoration: underline }
code, pre { font: .875em/1.45 ui-monospace, monospace; overflow-wrap: anywhere }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; max-height: 30rem; overflow-wrap: normal }
.route code { background: var(--soft); padding: .2rem .4rem; font-weight: 600 }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line) }
@media (min-width: 40rem) { td:first-child code { white-space: nowrap } }
nav ul { margin: .2rem 0; padding-left: 1.2rem } nav p { margin: .2rem 0 } summary { cursor: pointer; min-height: 24px }
nav a, h3 a { display: inline-block; min-height: 24px }
section, h2 { scroll-margin-top: 1rem }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); column-gap: 2rem }
  header { grid-column: 1 / 3 } nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: .9rem }
}
`
