import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { countRequestsInOneSecond } from '../support/one-second.ts'
import type { Caller } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { enter } from './enter.ts'

const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.05' })
const { service } = test
const { pool } = service.database
await test.worker()
const browser = await startBrowser()

async function exportAs(page: Page, format: 'CSV' | 'NDJSON'): Promise<string> {
  return saveDownload(page, () => choose(page, format))
}

async function choose(page: Page, format: 'CSV' | 'NDJSON'): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: format }).click()
}

async function saveDownload(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await download.path(), 'utf8')
}

async function exportByRest({ key }: Caller, path: string, accept: string): Promise<string> {
  const answer = await fetch(service.url + path, { headers: { accept, 'x-api-key': key } })
  // `text()` would leave out the byte order mark.
  return Buffer.from(await answer.arrayBuffer()).toString()
}

/** Expects a CSV table with the columns of the REST API, and the columns `named` after them. Returns its lines. */
function expectNamed(table: string, ofApi: string, named: string): string[] {
  const [lines, expected] = [table, ofApi].map((text) => text.trim().split('\r\n')) as [string[], string[]]
  expect(lines.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected)
  expect(lines[0]).toBe(`${expected[0]},${named}`)
  return lines
}

it('exports filtered subscribers and the filtered audit log as the REST API does', async () => {
  const caller = await service.organization()
  await vendor(caller).plan('pro')
  await vendor(caller).subscriber('=1', { name: 'One, "two"' })
  await vendor(caller).subscribe('=1', 'pro')
  for (let i = 0; i < 120; i++) await vendor(caller).subscriber(`cust_${String(i).padStart(3, '0')}`)
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/subscribers')
  const { page } = visitor
  await page.getByRole('row', { name: /cust_000/ }).waitFor()

  // The message is shown for a few seconds only.
  const exported = page.getByText('121 subscribers exported.').waitFor()
  const all = expectNamed(
    await exportAs(page, 'CSV'),
    await exportByRest(caller, '/org/subscribers', 'text/csv'),
    'plan_name',
  )
  expect(all.find((line) => line.includes('One'))).toMatch(/,pro$/)
  await exported
  await page.goto(`${base}/subscribers?plan=pro`)
  await page.getByRole('row', { name: /=1/ }).waitFor()
  expect(await exportAs(page, 'NDJSON')).toBe(
    await exportByRest(caller, '/org/subscribers?plan_id=pro', 'application/x-ndjson'),
  )

  await page.goto(`${base}/audit-log`)
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  await page.getByRole('row').nth(3).waitFor()
  const ofApi = await exportByRest(caller, '/org/audit-events?changed=true', 'text/csv')
  const log = expectNamed(await exportAs(page, 'CSV'), ofApi, 'member_name,what')
  expect(log.at(-1)).toMatch(/,admin,created plan pro$/)
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  expect(lines(await exportAs(page, 'NDJSON'))).toEqual(
    lines(await exportByRest(caller, '/org/audit-events?changed=true', 'application/x-ndjson')),
  )
  visitor.expectNoComplaint()
})

it('lets an auditor save the last month of one subscriber as a file, in 4 actions', async () => {
  const caller = await service.organization()
  for (const id of ['acme', 'other']) await vendor(caller).subscriber(id, { name: `The ${id}` })
  const found = 'the last 30 days of acme (Acme Ltd)'
  await vendor(caller).feature('sso')
  await vendor(caller).plan('pro', { sso: { kind: 'flag' } })
  await vendor(caller).subscribe('acme', 'pro')
  await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true })
  await vendor(caller).override('other', 'sso', { kind: 'flag', allowed: true })
  await caller.rest('PATCH', '/org/subscribers/acme', { name: 'Acme Ltd' })
  await caller.rest('DELETE', '/org/subscribers/acme/overrides/sso')
  await caller.rest('PATCH', '/org/plans/pro', { grants: {}, note: 'End of the beta' })
  // This change does not affect the subscriber.
  await caller.rest('PATCH', '/org/plans/pro', { name: 'Pro' })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const actions = countActions(page)

  await actions.click(page.getByRole('link', { name: 'Audit log' }))
  await page.getByRole('row').nth(3).waitFor()
  await actions.fill(page.getByRole('textbox', { name: /^Filter by/ }), 'acme ltd')
  await page.getByRole('option', { name: found }).waitFor()
  await visitor.inspect('audit-log-suggestions')
  await actions.click(page.getByRole('option', { name: found }))
  await expect.poll(() => page.getByRole('table', { name: 'Audit log' }).getByRole('link').count()).toBe(5)
  await page.getByText('Changes made directly to Acme Ltd (acme).').waitFor()
  await visitor.inspect('audit-log-subscriber')
  const downloading = page.waitForEvent('download')
  await actions.click(page.getByRole('button', { name: 'Download both as CSV' }))
  const download = await downloading

  expect(actions.count()).toBeLessThanOrEqual(4)
  expect(download.suggestedFilename()).toMatch(/^record-Acme-Ltd-acme-\d{4}-\d\d-\d\d\.csv$/)
  const rows = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1)
  const summaries = rows.map((row) => row.split(',').slice(1, 3).join(': ').replace('"', ''))
  expect(summaries).toEqual([
    // The change of the plan was not a request about the subscriber, but affected it.
    'change: Plan Pro was changed by admin: sso lost',
    'request: removed flag sso from plan pro: “End of the beta”',
    'change: sso: the override was removed by admin',
    'request: removed the override of sso for acme',
    'request: renamed subscriber acme from “The acme” to “Acme Ltd”',
    'change: sso: overridden by admin',
    'request: overrode flag sso for acme: on',
    'change: Subscribed to Pro by admin: sso gained',
    'request: subscribed acme to plan pro',
    'change: Created by admin',
    // Its path does not name the subscriber.
    'request: created subscriber acme',
  ])
  expect(rows[0]).toContain('End of the beta')
  visitor.expectNoComplaint()
})

it('shows the progress of an export, which can be canceled', async () => {
  const caller = await service.organization()
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 'many-' || lpad(i::text, 5, '0'), now(), now() from generate_series(1, 500) i`,
    [caller.organizationId],
  )
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor
  await page.getByRole('row', { name: /many-00001/ }).waitFor()

  const canceled = Promise.withResolvers<void>()
  let pages = 0
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('SubscriberExport') && ++pages > 2) await canceled.promise
    await route.continue()
  })

  await choose(page, 'CSV')
  const dialog = page.getByRole('dialog', { name: 'Export subscribers' })
  await dialog.getByText(/^200 subscribers read/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const answered = page.waitForResponse('**/graphql')
  canceled.resolve()
  await answered
  expect(await page.getByText(/subscribers exported/).count()).toBe(0)
  expect(pages).toBe(3)
  visitor.expectNoComplaint()
})

it('exports a whole filtered list even if the rate limit refuses some of its pages at first', async () => {
  const caller = await service.organization()
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 'many-' || lpad(i::text, 5, '0'), now(), now() from generate_series(1, 500) i`,
    [caller.organizationId],
  )
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers?without_override_of=seats')
  const { page } = visitor
  await page.getByRole('row', { name: /many-00001/ }).waitFor()
  const search = () => caller.rest('GET', '/org/subscribers?search=many&limit=1')
  let refused = 0
  // Twice, other requests use up the searches allowed in a second, so that the next page is refused.
  await page.route('**/graphql', async (route) => {
    if (refused === 2 || !route.request().postData()?.includes('SubscriberExport')) return route.continue()
    const endSecond = countRequestsInOneSecond()
    await Promise.all(Array.from({ length: 20 }, search))
    const response = await route.fetch()
    endSecond()
    if ((await response.text()).includes('RATE_LIMITED')) refused += 1
    return route.fulfill({ response })
  })

  const lines = (await exportAs(page, 'CSV')).trim().split('\r\n')

  expect(lines).toHaveLength(501)
  expect(refused).toBe(2)
})

it('prints whole tables with times in UTC, and without the navigation', async () => {
  const caller = await service.organization()
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select $1, 'many-' || lpad(i::text, 5, '0'), '2026-11-01T12:34:56Z', now() from generate_series(1, 200) i`,
    [caller.organizationId],
  )
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('201')
  const drawn = () => page.getByRole('table').getByRole('row').count()
  await expect.poll(drawn).toBeLessThan(150)

  const look = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect.poll(look).toBe('dark')
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))

  expect(await drawn()).toBe(201)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: /^Export/ }).count()).toBe(0)
  const shown = await page
    .locator('time')
    .first()
    .evaluate((time) => getComputedStyle(time, '::after').content)
  // The light scheme prints dark text on white paper.
  expect(await look()).toBe('light')
  expect(shown).toBe('"2026-11-01 12:34:56 UTC"')
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/print.png` })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect.poll(drawn).toBeLessThan(150)
})

it('asks before it resumes deliveries after a failed test event, and sends all failed events again', async () => {
  const caller = await test.vendor(500)
  await test.emit(caller, 3)
  await test.settled(caller, 'failed')
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/webhook')
  const { page } = visitor
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('button', { name: 'Send test event' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('failed').first().waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await test.emit(caller, 2)

  await page.getByRole('button', { name: 'Resume (2 waiting)' }).click()
  const asking = page.getByRole('dialog', { name: 'Resume although the last test failed?' })
  await asking.getByText(/answered 500/).waitFor()
  await visitor.inspect('webhook-resume')
  caller.receiver.behave(204)
  await asking.getByRole('button', { name: 'Resume anyway' }).click()
  await page.getByText('Deliveries have resumed. 2 queued events are being sent.').waitFor()

  await page.getByRole('button', { name: 'Resend all failed' }).click()
  const sending = page.getByRole('dialog', { name: 'Resend failed events' })
  await sending.getByText(/3 events have failed/).waitFor()
  await visitor.inspect('webhook-send-failed')
  await sending.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('3 failed events are sent once more.').waitFor()
  const events = await caller.rest('GET', '/org/webhook/events?state=failed')
  await expect
    .poll(async () => (await caller.rest('GET', '/org/webhook/events?state=failed')).body.events.length)
    .toBe(1)
  expect(events.status).toBe(200)
  visitor.expectNoComplaint()
})

it('asks before it resumes deliveries even if the page has not yet read that the last test failed', async () => {
  const caller = await test.vendor(500)
  await caller.rest('POST', '/org/webhook/disable')
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/webhook')
  const { page } = visitor
  await page.getByRole('button', { name: 'Resume' }).waitFor()

  await caller.rest('POST', '/org/webhook/test')
  const events = async () => (await caller.rest('GET', '/org/webhook/events?state=failed')).body.events
  await expect.poll(events).toHaveLength(1)
  await page.getByRole('button', { name: 'Resume' }).click()

  await page.getByRole('dialog', { name: 'Resume although the last test failed?' }).waitFor()
  visitor.expectNoComplaint()
})

it.each([
  [-1, 'at any time'],
  [-1, 'in the last hour'],
  [1, 'in the last hour'],
])(
  'sends failed events again if the clock of the browser is %i hours off and they happened %s',
  async (hours, period) => {
    const caller = await test.vendor(500)
    await test.emit(caller, 1)
    await test.settled(caller, 'failed')
    const { visitor } = await enter({ service, browser }, caller, 'admin', '/features')
    const { page } = visitor
    await page.clock.install({ time: Date.now() + hours * 3_600_000 })
    await page.getByRole('link', { name: 'Webhook' }).click()

    await page.getByRole('button', { name: 'Resend all failed' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed events' })
    await dialog.getByLabel('That happened').selectOption(period)
    await dialog.getByRole('button', { name: 'Resend' }).click()

    await page.getByText('1 failed event is sent once more.').waitFor()
    visitor.expectNoComplaint()
  },
)
