import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { enter } from './enter.ts'
import { readShifts, sumOf } from './slow-connection.ts'

const deliveries = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0.05' })
await deliveries.worker()
const { service } = deliveries
const browser = await startBrowser()

beforeEach(waitIfNearMidnight)

/** Stores counts of evals: 200 today, and at least `perDay` on each of the `days` before. */
async function fillUsage({ organizationId }: Caller, days: number, perDay: number): Promise<void> {
  await service.database.pool.query(
    `insert into eval_usage_day (organization_id, date, used)
     select $1, (now() at time zone 'UTC')::date - back, case when back = 0 then 200 else $3::int + back * 7 end
       from generate_series(0, $2::int) back`,
    [organizationId, days, perDay],
  )
}

async function allot({ organizationId }: Caller, allotment: number): Promise<void> {
  await service.database.pool.query('update eval_counter set allotment = $2 where organization_id = $1', [
    organizationId,
    allotment,
  ])
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

it('shows current problems at once, and says that nothing is wrong once they are fixed', async () => {
  const caller = await deliveries.vendor(500)
  const given = vendor(caller)
  await given.plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await fillUsage(caller, 24, 1200)
  await allot(caller, 32_000)
  const lost = await deliveries.emit(caller, 8)
  await until(async () => (await caller.rest('GET', '/org/webhook')).body.disabled)
  await given.override('acme', 'seats', { kind: 'limit', limit: 50, expires_at: daysFromNow(3), note: 'Trial' })
  await caller.rest('POST', '/org/invites', { role: 'viewer' })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const actions = countActions(page)

  const strip = page.getByRole('region', { name: 'Current problems' })
  await strip.getByText(/^Deliveries have been paused since .+\. 8 events in a row ran out of attempts\./).waitFor()
  const problems = strip.getByRole('listitem')
  await problems
    .first()
    .getByText(/^Deliveries have been paused/)
    .waitFor()
  await strip.getByText(/^\d+% of the evals for .* are used, on course to run out on /).waitFor()
  await expect.poll(() => problems.last().innerText()).toContain('1 invite is waiting')
  await page
    .getByRole('region', { name: /^Overrides that expire/ })
    .getByRole('link', { name: 'acme' })
    .waitFor()
  await visitor.inspect('overview-problems')

  caller.receiver.behave(204)
  await allot(caller, 2_000_000)
  await caller.rest('POST', '/org/webhook/enable')
  for (const id of lost) await caller.rest('POST', `/org/webhook/events/${id}/resend`)
  const { invites } = await given.get('/org/invites')
  await caller.rest('DELETE', `/org/invites/${invites[0].invite_id}`)
  await deliveries.settled(caller, 'delivered')
  await page.reload()

  await strip.getByText('Nothing is wrong.').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const changes = page.getByRole('region', { name: 'Newest changes' })
  await changes.getByText(/revoked invite/).waitFor()
  await expect.poll(() => changes.innerText()).not.toMatch(/[0-9A-Z]{26}/)
  expect(actions.count()).toBe(0)
  await visitor.inspect('overview-well')
  visitor.expectNoComplaint()
})

it.each([
  ['admin', ['All 100 evals', 'Deliveries have been paused', '8 events were given up', '1 invite is waiting']],
  ['developer', ['All 100 evals', 'Deliveries have been paused', '8 events were given up']],
  ['support', ['All 100 evals', 'Your role cannot see whether deliveries work.']],
  ['viewer', ['All 100 evals', 'Your role cannot see whether deliveries work.']],
])('shows current problems to the role %s, worst first', async (role, expected) => {
  const caller = await deliveries.vendor(500)
  await fillUsage(caller, 31, 1200)
  await allot(caller, 100)
  await deliveries.emit(caller, 8)
  await until(async () => (await caller.rest('GET', '/org/webhook')).body.disabled)
  await caller.rest('POST', '/org/invites', { role: 'viewer' })
  const { visitor } = await enter({ service, browser }, caller, role, '')

  const problems = visitor.page.getByRole('region', { name: 'Current problems' }).getByRole('listitem')

  await expect.poll(() => problems.count()).toBe(expected.length)
  const texts = await problems.allInnerTexts()
  expect(texts.map((text, index) => text.includes(expected[index] as string))).toEqual(expected.map(() => true))
  expect(texts.join(' ')).not.toContain('..')
  visitor.expectNoComplaint()
})

it('leads a new organization to its first check, and marks steps as done if their objects exist', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'developer', '')
  const { page } = visitor
  const steps = page.getByRole('region', { name: 'Steps to the first check' })
  await steps.getByText('1 of 6 done.').waitFor()

  const given = vendor(caller)
  await given.feature('sso')
  await given.plan('pro', { sso: { kind: 'flag' } })
  await given.subscriber('acme')
  await page.reload()
  await steps.getByText('3 of 6 done.').waitFor()
  await given.subscribe('acme', 'pro')
  await page.reload()
  await steps.getByText('4 of 6 done.').waitFor()
  await steps.getByText('/org/subscribers/acme/entitlements/check').waitFor()
  expect(await steps.getByRole('button', { name: 'Add feature' }).count()).toBe(0)

  await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'sso' })
  await page.reload()
  await page.getByText('Evals this month').waitFor()
  await expect.poll(() => steps.count()).toBe(0)
  visitor.expectNoComplaint()
})

it('shows the evals of earlier months by day, and saves them as a file', async () => {
  const caller = await deliveries.vendor(204)
  await vendor(caller).plan('pro')
  await fillUsage(caller, 70, 1000)
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '')
  const { page } = visitor
  await page.getByRole('button', { name: 'Earlier months' }).click()
  const drawer = page.getByRole('dialog', { name: 'Evals by month and day' })
  const lists = drawer.getByRole('list', { name: /^Evals in .* by day$/ })
  await lists.nth(2).waitFor()
  expect(page.url()).toBe(`${base}?months=1`)
  await visitor.inspect('overview-months')

  const saving = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Download as CSV' }).click()
  const file = await saving
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')

  const today = new Date().toISOString().slice(0, 10)
  expect(file.suggestedFilename()).toBe(`evals-${today}.csv`)
  expect([lines[0], lines.at(-2)]).toEqual(['\uFEFFdate,evals', `${today},200`])
  const used = lines.slice(1, -1).map((line) => Number(line.split(',')[1]))
  expect(used.reduce((sum, each) => sum + each, 0)).toBe(200 + 70 * 1000 + 7 * ((70 * 71) / 2))
  visitor.expectNoComplaint()
})

/** Slows down downloads only: the page's requests are small. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 400, downloadThroughput: 200_000, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', slow)
}

it('has almost no layout shift on a slow connection', async () => {
  const caller = await deliveries.vendor(204)
  await vendor(caller).plan('pro')
  await fillUsage(caller, 10, 300)
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '')
  const { page } = visitor
  const nothing = page.getByText('Nothing is wrong with evals. Your role cannot see whether deliveries work.')
  await nothing.waitFor()
  await slowDown(page)

  await page.goto(base)
  await page.getByRole('list', { name: /^Evals in .* by day$/ }).waitFor()
  await nothing.waitFor()
  expect(sumOf(await readShifts(page))).toBeLessThan(0.1)
  visitor.expectNoComplaint()
})

it('shows the steps to the first check no later than the sections below them', async () => {
  const caller = await deliveries.vendor(204)
  await vendor(caller).plan('pro')
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const steps = page.getByRole('region', { name: 'Steps to the first check' })
  await steps.waitFor()
  await slowDown(page)

  await page.goto(base)
  await page.getByRole('region', { name: 'Evals this month' }).waitFor()
  expect(await steps.isVisible()).toBe(true)
  visitor.expectNoComplaint()
})

it("says that the server is unavailable, keeps the page's content, and recovers by itself", async () => {
  const caller = await deliveries.vendor(204)
  await vendor(caller).plan('pro')
  const { visitor } = await enter({ service, browser }, caller, 'developer', '')
  const { page } = visitor
  const away = page.getByRole('alert').getByText('The server cannot be reached.').first()
  const well = page.getByText('Nothing is wrong.')
  await well.waitFor()
  await page.getByRole('link', { name: 'Features' }).click()
  await page.getByRole('tab', { name: 'Clean up' }).waitFor()
  await page.clock.install()
  await page.goto(`${page.url()}?tab=clean-up`)
  await page.getByText('There are no live overrides.').waitFor()

  await page.route('**/graphql', (route) => route.abort())
  await page.getByRole('tab', { name: 'Catalog' }).click()
  await away.waitFor()
  await visitor.inspect('features-server-away')
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'seats' }).waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  await well.waitFor()
  await page.route('**/graphql', (route) => route.abort())
  await page.clock.fastForward('00:20')
  await away.waitFor()
  await page.getByRole('region', { name: 'Webhook' }).getByText('delivering').waitFor()
  // Each section of the page notices by itself that the server is unavailable.
  await expect.poll(() => well.count()).toBe(0)
  await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(0)
  await page.unroute('**/graphql')
  await page.clock.fastForward('00:10')
  await well.waitFor()
})

it('repeats a read that a busy server refused', async () => {
  const caller = await deliveries.vendor(204)
  const { visitor, base } = await enter({ service, browser }, caller, 'developer', '')
  const { page } = visitor
  await page.getByText('Nothing is wrong.').waitFor()
  const extensions = { code: 'SERVICE_UNAVAILABLE', status: 503, requestId: '1', details: null }
  const busy = { errors: [{ message: 'Nothing ran; try again in a moment.', extensions }] }
  let refused = 0
  await page.route('**/graphql', (route) => {
    if (refused === 1 || !route.request().postData()?.includes('"operationName":"Features"')) return route.continue()
    refused += 1
    return route.fulfill({ status: 503, json: busy })
  })

  await page.goto(`${base}/features`)
  await page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'seats' }).waitFor()
  expect(refused).toBe(1)
})

it("shows an error when a page's code cannot be loaded, and the page once the server is available again", async () => {
  const caller = await deliveries.vendor(204)
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const network = page.context()
  await page.getByText('Nothing is wrong.').waitFor()

  await network.setOffline(true)
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor()
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await expect.poll(() => page.getByRole('navigation').getByRole('link', { name: 'Features' }).isVisible()).toBe(true)
  await visitor.inspect('page-server-away')
  // The message of the first failure is still shown, so wait for the request by which the page finds out, after the second
  // failure, whether the server answers. The browser may not request the code again, because it remembers the failure.
  const secondFailure = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/sign-in'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await secondFailure
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()

  await network.setOffline(false)
  const team = page.getByRole('heading', { name: 'Team' })
  // If the second attempt is still running, it finds the server available, and the page reloads by itself.
  await Promise.any([page.getByRole('button', { name: 'Try again' }).click(), team.waitFor()])
  await team.waitFor()

  // The files of a newer build have other names: the page reloads by itself, unless it has just done so.
  await page.evaluate(() => sessionStorage.clear())
  await page.route('**/assets/audit-log-page-*', (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
})
