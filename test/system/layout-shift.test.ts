import { setTimeout } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillCatalog, fillLargeCatalog } from '../console/catalog.ts'
import { enter } from '../console/enter.ts'
import { measureLoad, sumOf } from '../console/slow-connection.ts'
import { startBrowser } from '../support/browser.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

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
await fillLargeCatalog(service, large, { features: 200, plans: 13 })

const sizes = { computer: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
/** The largest sum of layout shifts that the test allows, as browsers measure them; less than 0.1 counts as good. */
const maxShift = 0.01

const { account, entry } = await idsOf(filled)
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
  '/audit-log?subscriber=globex',
  `/audit-log?actor=${filled.memberId}&all=true`,
  `/audit-log?entry=${entry}`,
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

it.each(shown)(
  'the console never moves what a page has already shown while it loads: $name',
  async ({ caller, path }) => {
    for (const viewport of Object.values(sizes)) await expectNoShift({ caller, path, viewport, isReversed: true })
  },
)

/** The pages that send several reads. */
const pathsWithManyReads = ['', '/subscribers/globex', '/webhook', '/plans', '/plans/plan-1']

it.each(shown.filter(({ path }) => pathsWithManyReads.includes(path)))(
  'the console never moves what a page has already shown on a slow connection: $name',
  async ({ caller, path }) => {
    await expectNoShift({ caller, path, viewport: sizes.computer, slow: true })
  },
)

type Opened = {
  caller: Caller
  path: string
  viewport: { width: number; height: number }
  slow?: boolean
  isReversed?: boolean
}

async function expectNoShift({ caller, path, viewport, slow = false, isReversed = false }: Opened): Promise<void> {
  const shownOn = caller === large ? other : page
  await shownOn.setViewportSize(viewport)
  const order = isReversed ? await answerInReverse(shownOn) : []
  const { shifts } = await measureLoad(shownOn, `${service.url}/o/${caller.organizationId}${path}`, settle, { slow })
  await shownOn.unrouteAll({ behavior: 'wait' })
  expect(sumOf(shifts), `${viewport.width} px, ${order.join()}: ${JSON.stringify(shifts)}`).toBeLessThan(maxShift)
}

/** Long enough that the page is drawn with an answer before the next one comes. */
const betweenAnswersMs = 120

/**
 * Answers the page's reads one by one, the latest one first, so that data that usually comes first comes last. Returns the
 * names of the answered reads, in order.
 */
async function answerInReverse(page: Page): Promise<string[]> {
  const [waiting, answered]: [Route[], string[]] = [[], []]
  let isAnswering = false
  await page.route('**/graphql', async (route) => {
    waiting.push(route)
    if (isAnswering) return
    isAnswering = true
    while (waiting.length > 0) {
      await setTimeout(betweenAnswersMs)
      const last = waiting.pop() as Route
      answered.push(last.request().postDataJSON().operationName)
      await last.fulfill({ response: await last.fetch() })
    }
    isAnswering = false
  })
  return answered
}

/** Waits until the page has nothing left to load. */
async function settle(page: Page): Promise<void> {
  await page.locator('main h1').waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('main .mantine-Skeleton-root'))
  await page.waitForLoadState('networkidle')
}

function nameOf(path: string): string {
  return path.replace(/[0-9A-Z]{26}/, '…') || 'the overview'
}

async function idsOf(caller: Caller): Promise<{ account: string; entry: string }> {
  const { body } = await caller.rest('GET', '/org/service-accounts')
  const { audit_events: events } = (await caller.rest('GET', '/org/audit-events?changed=true')).body
  return { account: body.service_accounts[0].service_account_id, entry: events[0].id }
}
