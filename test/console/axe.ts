import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }

/** What axe finds serious or critical on the page as it stands, one line for each place. */
export async function findSerious(page: Page): Promise<string[]> {
  // Through the debugger: the page's policy lets no foreign script in, and must not be loosened for tests.
  await page.evaluate(axe)
  const violations: Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
