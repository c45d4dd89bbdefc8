import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import type { Caller } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { findAllViolations } from './axe.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'
import { readShifts, sumOf } from './slow-connection.ts'

const test = await startDeliveryTest()
const { service } = test
await test.worker()
const browser = await startBrowser()
const dayMs = 86_400_000

/** Acme moved from pro to free, one override was removed, another ends soon, and the changes were not delivered. */
async function organization(): Promise<Caller> {
  const caller = await service.organization()
  await fillCatalog(caller)
  const given = vendor(caller)
  await given.subscriber('4711', { name: 'Initech' })
  await given.subscribe('4711', 'pro')
  await given.override('4711', 'export', { kind: 'flag', allowed: true })
  await caller.rest('DELETE', '/org/subscribers/4711/overrides/export')
  const expiresAt = new Date(Date.now() + 2 * dayMs).toISOString()
  await given.override('4711', 'x', { kind: 'limit', limit: 5, expires_at: expiresAt })
  const startsAt = new Date(Date.now() + 20 * dayMs).toISOString()
  await given.override('4711', 'seats', { kind: 'limit', limit: 50, starts_at: startsAt, note: 'Pilot' })
  await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
  await caller.rest('POST', '/org/webhook/disable')
  const moved = await caller.rest('POST', '/org/subscribers/4711/subscriptions/change', { plan_id: 'free' })
  expect(moved.status, JSON.stringify(moved.body)).toBeLessThan(300)
  return caller
}

it('lists what happened above the features, newest first, with remedies, and saves the list as files', async () => {
  const caller = await organization()
  await vendor(caller).archive('free')
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/subscribers/4711')
  const { page } = visitor
  const story = page.getByRole('list', { name: 'What happened' })
  const lines = story.locator(':scope > li')
  await expect.poll(() => lines.count()).toBe(7)
  const shifts = await readShifts(page)
  expect(sumOf(shifts), JSON.stringify(shifts)).toBeLessThan(0.01)
  const line = (text: RegExp) => lines.filter({ hasText: text })
  await line(/^Your product has not been told of the newest change: deliveries are paused/)
    .getByRole('link', { name: 'Resume deliveries' })
    .waitFor()
  await line(/^Plan free is archived/)
    .getByRole('link', { name: 'Change the plan' })
    .waitFor()
  await line(/^The override of 🚀 expires on /)
    .getByRole('link', { name: 'Extend it' })
    .waitFor()
  await line(/^An override of Seats \(50\) starts on .* at \d\d:\d\d“Pilot”/)
    .getByRole('link', { name: 'Start it now' })
    .waitFor()
  await page
    .getByRole('row', { name: /Seats.*an override \(50\) starts on .* at \d\d:\d\d/ })
    .first()
    .waitFor()
  const move = line(/^Moved from pro to free by admin: 3 features lost, 1 lowered/)
  await move.getByRole('button', { name: 'Show the 4 changes' }).click()
  await move.getByRole('listitem').filter({ hasText: 'Single sign-on' }).waitFor()
  await visitor.inspect('subscriber-story')
  expect(await findAllViolations(page)).toEqual([])

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as text' }).click()
  const file = await saving
  const text = readFileSync(await file.path(), 'utf8')
  expect(file.suggestedFilename()).toMatch(/^story-Initech-4711-\d{4}-\d\d-\d\d\.txt$/)
  expect(text).toContain('What happened to Initech (4711)')
  expect(text).toContain('Moved from pro to free by admin')
  expect(text).toContain('Single sign-on (sso): on to off')
  expect(text).toContain('Created by admin')

  const savingTable = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const table = await savingTable
  expect(table.suggestedFilename()).toMatch(/^story-Initech-4711-\d{4}-\d\d-\d\d\.csv$/)
  const rows = readFileSync(await table.path(), 'utf8').split('\r\n')
  expect(rows.filter((row) => row.includes('Moved from pro to free by admin'))).toHaveLength(4)
  expect(rows.find((row) => row.includes(',sso,Single sign-on,lost,on,off,'))).toContain(',4711,Initech,')

  await page.getByRole('button', { name: /^Show \d+ older$/ }).click()
  await line(/^Created by admin/).waitFor()
  await move.getByRole('link', { name: 'Change back to pro' }).click()
  await page
    .getByRole('dialog', { name: 'Change plan' })
    .getByText('What would change')
    .or(page.getByRole('table'))
    .first()
    .waitFor()
  expect(page.url()).toBe(`${base}/subscribers/4711?change=1&to=pro`)
  visitor.expectNoComplaint()
})

it('tells support that changes were not delivered, and that its role cannot see deliveries', async () => {
  const caller = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=sso')
  const { page } = visitor
  const drawer = page.getByRole('dialog', { name: 'Single sign-on' })
  await drawer.getByText(/^Your product has not been told of the newest change: deliveries are paused/).waitFor()
  await drawer
    .getByText(/^Single sign-on is not part of your plan\. Our product has not picked up the latest change yet/)
    .waitFor()
  await visitor.inspect('subscriber-untold')
  await page.keyboard.press('Escape')
  await page.getByText('Your role, support, cannot see deliveries: a developer or an admin can help').waitFor()

  await caller.rest('POST', '/org/invites', { role: 'viewer' })
  await page.goto(base)
  const strip = page.getByRole('region', { name: 'Current problems' })
  await strip.getByText(/cannot see whether deliveries work/).waitFor()
  visitor.expectNoComplaint()
})

it('says that a change of the plan has not been delivered, even in the text for the customer', async () => {
  const caller = await organization()
  await service.database.prisma.webhookEvent.updateMany({
    where: { organizationId: caller.organizationId },
    data: { state: 'delivered', dueAt: null, finishedAt: new Date() },
  })
  await caller.rest('PATCH', '/org/plans/free', { grants: { seats: { kind: 'limit', limit: 1 } } })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/subscribers/4711')
  const { page } = visitor
  const lines = page.getByRole('list', { name: 'What happened' }).locator(':scope > li')
  const line = (text: RegExp) => lines.filter({ hasText: text })

  await line(/^Your product has not been told of the plan’s newest change: deliveries are paused/)
    .getByRole('link', { name: 'Resume deliveries' })
    .waitFor()
  await line(/^Plan free was changed by admin: Seats lowered from 3 to 1 · your product has not been told/).waitFor()
  await line(/^Moved from pro to free by admin: 3 features lost, 1 lowered(?! ·)/).waitFor()
  await page.getByRole('row', { name: /Seats/ }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Seats' })
  await drawer.getByText(/^Your product has not been told of the plan’s newest change: deliveries are paused/).waitFor()
  await drawer.getByText(/Our product has not picked up the latest change yet/).waitFor()
  visitor.expectNoComplaint()
})

it('says above the features at another time whether that time is past or future, and names the plan', async () => {
  const caller = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/subscribers/4711')
  const { page } = visitor
  const { history } = await vendor(caller).get('/org/subscribers/4711/history')
  const before = new Date(Date.parse(history[0].at) - 1).toISOString()
  await page.goto(`${base}/subscribers/4711?at=${before}`)
  await page.getByRole('status').getByText('This is the past').waitFor()
  await page.getByText(/, on plan pro\.$/).waitFor()
  expect(await page.getByRole('list', { name: 'What happened' }).count()).toBe(0)
  await visitor.inspect('subscriber-past')
  await page.goto(`${base}/subscribers/4711?at=${new Date(Date.now() + 5 * dayMs).toISOString()}`)
  await page.getByText('This is the future, as far as it is known').waitFor()
  visitor.expectNoComplaint()
})

it("shows changes of a feature's grants in the history of the feature", async () => {
  const caller = await organization()
  await caller.rest('PATCH', '/org/plans/free', { grants: { seats: { kind: 'limit', limit: 4 } } })
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/features/seats')
  const { page } = visitor
  const changes = page.getByRole('region', { name: 'History' }).getByRole('listitem')
  await changes.filter({ hasText: /^On plan free.*3.*to.*4/s }).waitFor()
  await changes
    .filter({ hasText: /^On plan enterprise/ })
    .getByRole('link', { name: 'enterprise' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'enterprise' }).waitFor()
  expect(page.url()).toBe(`${base}/plans/enterprise`)
})
