import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog, fillLarge } from './catalog.ts'
import { enter } from './enter.ts'
import { measureLoad, sumOf } from './slow-line.ts'

const service = await sharedService()
const browser = await startBrowser()

/** An organization with something on each page, and a customer who lost features on another plan. */
const filled = await service.organization()
await fillCatalog(filled)
await filled.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
await filled.rest('POST', '/org/webhook/test')
await vendor(filled).subscribe('globex', 'pro')
await filled.rest('POST', '/org/subscribers/globex/subscriptions/change', { plan_id: 'free' })
const large = await service.organization()
await fillLarge(service, large, { features: 200, plans: 13 })

const sizes = { computer: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
/** Of a layout shift as browsers measure it; they call less than 0.1 good. */
const most = 0.01

const { account } = await idsOf(filled)
const paths = [
  '',
  '/features',
  '/features?tab=clean-up',
  '/features/seats',
  '/plans',
  '/plans/pro',
  '/subscribers',
  '/subscribers/acme',
  '/subscribers/globex',
  '/subscribers/acme?tab=plans',
  '/subscribers/acme?tab=overrides',
  '/subscribers/acme?tab=history',
  '/import',
  '/webhook',
  '/audit-log',
  '/team',
  '/team?tab=service-accounts',
  '/team?tab=roles',
  `/team/members/${filled.memberId}`,
  `/team/service-accounts/${account}`,
  '/settings',
]

const shown = [
  ...paths.map((path) => ({ name: nameOf(path), caller: filled, path })),
  ...['', '/plans', '/features', '/plans/plan-1'].map((path) => ({
    name: `large: ${nameOf(path)}`,
    caller: large,
    path,
  })),
]

const { visitor } = await enter({ service, browser }, filled, 'admin', '/settings')
const { page } = visitor
const other = (await enter({ service, browser }, large, 'admin', '/settings')).visitor.page

it.each(shown)('moves nothing that a page has shown while it loads: $name', async ({ caller, path }) => {
  for (const viewport of Object.values(sizes)) await expectNoShift({ caller, path, viewport })
})

/** The pages that are made of several reads. */
const ofManyReads = ['', '/subscribers/globex', '/webhook', '/plans', '/plans/plan-1']

it.each(shown.filter(({ path }) => ofManyReads.includes(path)))(
  'moves nothing on a slow line: $name',
  async ({ caller, path }) => {
    await expectNoShift({ caller, path, viewport: sizes.computer, slow: true })
  },
)

type Opened = { caller: Caller; path: string; viewport: { width: number; height: number }; slow?: boolean }

async function expectNoShift({ caller, path, viewport, slow = false }: Opened): Promise<void> {
  const shownOn = caller === large ? other : page
  await shownOn.setViewportSize(viewport)
  const { shifts } = await measureLoad(shownOn, `${service.url}/o/${caller.organizationId}${path}`, settle, { slow })
  expect(sumOf(shifts), `${viewport.width} px: ${JSON.stringify(shifts)}`).toBeLessThan(most)
}

/** Until nothing is left to load. */
async function settle(page: Page): Promise<void> {
  await page.locator('main h1').waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('main .mantine-Skeleton-root'))
  await page.waitForLoadState('networkidle')
}

function nameOf(path: string): string {
  return path.replace(/[0-9A-Z]{26}/, '…') || 'the overview'
}

async function idsOf(caller: Caller): Promise<{ account: string }> {
  const { body } = await caller.rest('GET', '/org/service-accounts')
  return { account: body.service_accounts[0].service_account_id }
}
