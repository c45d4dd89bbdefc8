import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const height = 844

let page: Page
let base: string

beforeAll(async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PATCH', '/org/features/export', { name: 'Export' })
  for (const id of ['initech', 'umbrella', 'hooli']) await vendor(caller).subscriber(id)
  await caller.rest('PATCH', '/org/subscribers/acme', { name: 'Acme Corporation' })
  const entered = await enter({ service, browser }, caller, 'admin', '/settings')
  page = entered.visitor.page
  base = entered.base
  await page.setViewportSize({ width: 390, height })
})

/** The rows of the table that are completely visible on the screen. */
async function rowsOnScreen(label: string): Promise<number> {
  const rows = page.getByRole('table', { name: label }).locator('tbody tr')
  await rows.first().waitFor()
  const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom))
  return boxes.filter((bottom) => bottom <= height).length
}

it.each([
  ['/features', 'Features', 5],
  ['/subscribers', 'Subscribers', 4],
  ['/audit-log', 'Audit log', 6],
])('shows enough rows of %s on a phone', async (path, label, atLeast) => {
  await page.goto(base + path)

  expect(await rowsOnScreen(label)).toBeGreaterThanOrEqual(atLeast)
})

it('shows at least four features of a subscriber on a phone', async () => {
  await page.goto(`${base}/subscribers/acme`)
  const label = 'Features of this subscriber'
  await page.getByRole('table', { name: label }).waitFor()

  await page.getByRole('search').evaluate((filters) => filters.scrollIntoView())

  expect(await rowsOnScreen(label)).toBeGreaterThanOrEqual(4)
})

it("shows a subscriber's name on its card with the id below", async () => {
  await page.goto(`${base}/subscribers`)
  const card = page.getByRole('table', { name: 'Subscribers' }).locator('tr').filter({ hasText: 'Acme Corporation' })
  await card.waitFor()

  const [name, id] = [
    await card.getByText('Acme Corporation').boundingBox(),
    await card.getByText('acme', { exact: true }).boundingBox(),
  ]

  expect(id?.x).toBe(name?.x)
  expect(id?.y).toBeGreaterThan(name?.y ?? 0)
})
