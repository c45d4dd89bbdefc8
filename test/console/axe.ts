import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }

/**
 * Runs axe without the details of rules that pass, and without loading media, because the console has none. Also checks the
 * size of targets.
 */
const run = `axe.run({ resultTypes: ['violations'], preload: false, rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`

/** The violations on the current page that axe rates serious or critical, one line for each element. */
export async function findSeriousViolations(page: Page): Promise<string[]> {
  const violations = await findViolations(page)
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(linesOf)
}

/** All violations that axe finds on the current page, one line for each element. */
export async function findAllViolations(page: Page): Promise<string[]> {
  return (await findViolations(page)).flatMap(linesOf)
}

async function findViolations(page: Page): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in window'))) await injectAxe(page)
  return page.evaluate(run)
}

/**
 * Injects axe through the debugger, because the page's content security policy blocks scripts of other origins. Playwright's
 * `evaluate` would pass it as an argument of a function, which takes twice the processor's time.
 */
async function injectAxe(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Runtime.evaluate', { expression: axe })
  await debug.detach()
}

function linesOf({ id, nodes }: Violation): string[] {
  return nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`)
}
