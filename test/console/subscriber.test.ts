import { expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Caller } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const test = await startDeliveryTest()
const { service } = test
await test.worker()
const browser = await startBrowser()
const dayMs = 86_400_000

/** A filled organization whose customer 4711 is on pro, which does not grant the export. */
async function organizationOf4711(): Promise<Caller> {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PATCH', '/org/features/export', { name: 'Export' })
  await vendor(caller).subscriber('4711')
  await vendor(caller).subscribe('4711', 'pro')
  return caller
}

it('lets support see why a subscriber lacks a feature, and override the feature for 14 days, in 5 actions', async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'support', '')
  const { page } = visitor
  const actions = countActions(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await actions.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor()
  await actions.type('4711')
  await actions.press('Enter')
  const row = page.getByRole('row', { name: /Export/ })
  await row.getByText('nothing grants it').waitFor()
  await actions.click(row.getByRole('link', { name: 'Export' }))
  const drawer = page.getByRole('dialog', { name: 'Export' })
  await drawer.getByRole('link', { name: 'enterprise' }).waitFor()
  await drawer.getByText(/^Expires .*, in 14 days$/).waitFor()
  await actions.click(drawer.getByRole('button', { name: 'Override', exact: true }))
  await drawer.getByText('The override of Export is in force now.').waitFor()
  await drawer.getByText(/^Export is on for you until /).waitFor()
  await drawer.getByText(/^Nothing was sent: no webhook is connected/).waitFor()
  expect(actions.count()).toBeLessThanOrEqual(5)

  const check = await caller.rest('POST', '/org/subscribers/4711/entitlements/check', { feature: 'export' })
  expect(check.body).toMatchObject({ allowed: true, source: 'override' })
  const days = (Date.parse(check.body.expires_at) - Date.now()) / dayMs
  expect(days).toBeGreaterThan(13.9)
  expect(days).toBeLessThan(14.1)
  visitor.expectNoComplaint()
})

it('lets an override start on Monday at nine for 14 days, shows when it starts, and undoes its removal', async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=export')
  const { page, inspect } = visitor
  const drawer = page.getByRole('dialog', { name: 'Export' })
  await drawer.getByText('Starts now.').waitFor()

  await drawer.getByRole('button', { name: 'Monday 9:00' }).click()
  await drawer.getByText(/^Starts .*09:00/).waitFor()
  await inspect('subscriber-override-scheduled')
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await drawer.getByText(/^The override of Export starts on /).waitFor()

  const read = async () => (await caller.rest('GET', '/org/subscribers/4711/overrides/export')).body
  const { starts_at, expires_at } = await read()
  expect(new Date(starts_at).getUTCDay()).toBe(1)
  expect((Date.parse(expires_at) - Date.parse(starts_at)) / dayMs).toBeCloseTo(14, 1)
  const check = await caller.rest('POST', '/org/subscribers/4711/entitlements/check', { feature: 'export' })
  expect(check.body).toMatchObject({ allowed: false })
  await drawer.getByRole('button', { name: 'Change it' }).click()
  await drawer.getByText(/^Starts .*09:00/).waitFor()
  await drawer.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The override of Export was removed.').waitFor()
  expect((await caller.rest('GET', '/org/subscribers/4711/overrides/export')).status).toBe(404)
  const removed = page.getByRole('alert').filter({ hasText: 'was removed' })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await read()).starts_at).toBe(starts_at)
  visitor.expectNoComplaint()
})

it('starts a scheduled override now, and undoes this', async () => {
  const caller = await organizationOf4711()
  const scheduled = { starts_at: '2099-01-01T00:00:00.000Z', expires_at: '2099-02-01T00:00:00.000Z' }
  await vendor(caller).override('4711', 'export', { kind: 'flag', allowed: true, ...scheduled })
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=export')
  const { page } = visitor
  const drawer = page.getByRole('dialog', { name: 'Export' })
  await drawer.getByRole('button', { name: 'Now', exact: true }).click()
  await drawer.getByRole('button', { name: 'Save override' }).click()
  await drawer.getByText('The override of Export is in force now.').waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()

  const { body } = await caller.rest('GET', '/org/subscribers/4711/overrides/export')
  expect(body).toMatchObject(scheduled)
  await drawer.getByText(/^Starts .*2099/).waitFor()
  expect(await drawer.getByRole('alert').count()).toBe(0)
  visitor.expectNoComplaint()
})

it('extends an override, removes it with its note, and restores it', async () => {
  const caller = await organizationOf4711()
  const expiresAt = new Date(Date.now() + 3 * dayMs).toISOString()
  const given = { kind: 'limit', limit: 25, expires_at: expiresAt, note: 'Ticket 815' }
  await vendor(caller).override('4711', 'seats', given)
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/subscribers/4711?source=OVERRIDE')
  const { page } = visitor
  const row = page.getByRole('row', { name: /Seats/ })
  await row.getByText(/^by admin, until .*, replaces “1,000” from the plan$/).waitFor()
  await row.getByText(/^back to 1,000 \(pro\) on /).waitFor()

  await page.getByRole('button', { name: 'Extend Seats by 14 days' }).click()
  await page.getByText(/^The override of Seats now expires on /).waitFor()
  const read = async () => (await caller.rest('GET', '/org/subscribers/4711/overrides/seats')).body
  const later = new Date(Date.parse(expiresAt) + 14 * dayMs).toISOString()
  expect(await read()).toMatchObject({ limit: 25, expires_at: later, note: 'Ticket 815' })

  await page.getByRole('button', { name: 'More for Seats' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByText('The override of Seats was removed.').waitFor()
  expect(await read()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  const toast = page.getByRole('alert').filter({ hasText: 'was removed' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await read()).toMatchObject({ limit: 25, expires_at: later, note: 'Ticket 815' })

  await vendor(caller).override('4711', 'x', { kind: 'limit', limit: 1, expires_at: '2026-01-01T00:00:00Z' })
  await page.getByRole('tab', { name: 'Overrides' }).click()
  await page.getByText('Expired', { exact: true }).click()
  await page.getByRole('row', { name: /^🚀 x .*expired/ }).waitFor()
  expect(await page.getByRole('row', { name: /^Seats/ }).count()).toBe(0)
  await page.getByText('All', { exact: true }).click()
  await page.getByRole('row', { name: /^Seats seats.*live.*Ticket 815/ }).waitFor()
  await visitor.inspect('subscriber-overrides')

  await page.getByRole('tab', { name: 'History', exact: true }).click()
  await expect.poll(() => page.getByRole('tabpanel').getByRole('listitem').count()).toBeGreaterThan(4)
  visitor.expectNoComplaint()
})

it('shows what another plan would change, and, after the change, that the product was notified', async () => {
  const caller = await organizationOf4711()
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  await caller.rest('PUT', '/org/webhook', { url: receiver.url })
  const theme = { kind: 'config', value: { accent: 'green', dense: true } }
  await caller.rest('PATCH', '/org/plans/free', { grants: { seats: { kind: 'limit', limit: 3 }, theme } })
  const { visitor, base } = await enter({ service, browser }, caller, 'developer', '/subscribers/4711?change=1')
  const { page, inspect } = visitor
  const drawer = page.getByRole('dialog', { name: 'Change plan' })

  await drawer.getByLabel('New plan (now pro)').selectOption('free')
  const preview = drawer.getByRole('table', { name: 'What would change' })
  await preview.getByRole('row', { name: /Single sign-on.*lost/ }).waitFor()
  await preview.getByRole('row', { name: /Seats.*lowered.*1,000.*3/ }).waitFor()
  const keys = preview.getByRole('row', { name: /Theme.*changed/ }).getByRole('list', { name: 'Changes by key' })
  await expect.poll(() => keys.getByRole('listitem').allInnerTexts()).toEqual(['accent from "blue" to "green"'])
  await inspect('subscriber-plan-preview')
  await drawer.getByRole('button', { name: 'Change to free' }).click()
  const moved = page.getByRole('alert').filter({ hasText: '4711 is on free.' })
  await moved.getByText('Your product was told').waitFor()
  await moved.getByRole('button', { name: 'Undo' }).click()
  const undone = page.getByRole('alert').filter({ hasText: 'Undone.' })
  // It does not close under the pointer.
  await undone.hover()
  await undone.getByText('Your product was told').waitFor()
  // Inspects only now, because the inspection takes a while, and the Undo button would have disappeared meanwhile.
  await inspect('subscriber-plan-heard')
  await page.getByRole('tab', { name: 'Plan history' }).click()
  await expect.poll(() => page.getByRole('table', { name: 'Plan history' }).getByRole('row').count()).toBe(4)
  await page.goto(`${base}/subscribers/4711?change=1&to=gone`)
  await drawer.getByText('Plan gone cannot be chosen: it was deleted or archived.').waitFor()
  expect(await drawer.getByRole('button', { name: /Change to/ }).count()).toBe(0)
  await page.goto(`${base}/subscribers/4711`)

  await page.getByRole('button', { name: 'Override Export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Override', exact: true }).click()
  await page.getByRole('dialog').getByText('Your product was told').waitFor()
  expect(
    await page.getByRole('alert').filter({ hasText: 'was saved' }).getByText('Your product was told').count(),
  ).toBe(0)
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Extend Export by 14 days' }).click()
  const extended = page.getByRole('alert').filter({ hasText: 'The override of Export now expires on' })
  await extended.getByText(/^Nothing was sent/).waitFor()
  // The toast covers the row's menu.
  await extended.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'More for Export' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const removed = page.getByRole('alert').filter({ hasText: 'was removed' })
  await removed.getByRole('link', { name: 'Delivery' }).click()
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('"cause": "override"').waitFor()
  visitor.expectNoComplaint()
})

it('tells support in the confirmation of an override since when deliveries have been paused', async () => {
  const caller = await organizationOf4711()
  await caller.rest('PUT', '/org/webhook', { url: 'https://receiver.example/' })
  await caller.rest('POST', '/org/webhook/disable')
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=export')
  const drawer = visitor.page.getByRole('dialog', { name: 'Export' })

  await drawer.getByRole('button', { name: 'Override', exact: true }).click()

  const told = drawer.getByRole('region', { name: 'Does your product know?' })
  await told.getByText(/^Deliveries have been paused since .+; your product does not know yet\.$/).waitFor()
  visitor.expectNoComplaint()
})

it('says that nothing was sent if a change caused no event', async () => {
  const caller = await organizationOf4711()
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 5, expires_at: '2026-01-01T00:00:00Z' })
  await caller.rest('PUT', '/org/webhook', { url: receiver.url })
  await vendor(caller).override('4711', 'x', { kind: 'limit', limit: 5 })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/features?tab=clean-up&list=expired')
  const { page } = visitor

  await page.getByRole('button', { name: 'Remove the override of seats for 4711' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'was removed' })
  await toast.getByText('Nothing was sent: the answers in your product’s cache are still correct.').waitFor()
  visitor.expectNoComplaint()
})

it('keeps what was typed when an override is refused', async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=seats')
  const { page } = visitor
  const drawer = page.getByRole('dialog', { name: 'Seats' })

  await drawer.getByLabel('Value').fill('many')
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await drawer.getByText('Enter a whole number, or “unlimited”.').waitFor()
  expect(await drawer.getByRole('alert').count()).toBe(0)
  await drawer.getByLabel('Value').fill('12')
  await drawer.getByLabel('Note').fill('x'.repeat(501))
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await drawer.getByText(/^Use at most 500 characters; this has 501\.$/).waitFor()
  await page.reload()
  await expect.poll(() => drawer.getByLabel('Value').inputValue()).toBe('12')
  await drawer.getByLabel('Note').fill('agreed by mail')
  await drawer.getByRole('button', { name: '7 days' }).click()
  await drawer.getByText(/, in 7 days$/).waitFor()
  // Checks that the console's own styles override those of the component library.
  const colorOf = (name: string) =>
    drawer.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).color)
  expect(await colorOf('7 days')).not.toBe(await colorOf('1 day'))
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await page.getByText('The override of Seats was saved.').waitFor()

  const { body } = await caller.rest('GET', '/org/subscribers/4711/overrides/seats')
  expect(body).toMatchObject({ limit: 12, note: 'agreed by mail' })
})

/** Opens the form of an override of seats. `read` returns the stored override. */
async function editSeats(caller: Caller) {
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?feature=seats')
  const drawer = visitor.page.getByRole('dialog', { name: 'Seats' })
  const read = async () => (await caller.rest('GET', '/org/subscribers/4711/overrides/seats')).body
  return { visitor, drawer, question: drawer.getByRole('alert'), read }
}

it("asks about each proposed or typed value of a new override that differs from a colleague's override", async () => {
  const caller = await organizationOf4711()
  const { visitor, drawer, question, read } = await editSeats(caller)
  await drawer.getByLabel('Value').fill('12')
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 50, note: 'Agreed' })

  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await question.getByText('Never expires.').waitFor()
  await visitor.inspect('subscriber-override-conflict')
  await question.getByRole('button', { name: 'Keep mine: Value' }).click()
  await question.getByRole('button', { name: 'Take theirs: Note' }).click()
  expect(await read()).toMatchObject({ limit: 50, expires_at: null })
  await question.getByRole('button', { name: 'Keep mine: Expires' }).click()

  await drawer.getByText('The override of Seats is in force now.').waitFor()
  const { limit, expires_at, note } = await read()
  expect({ limit, note }).toEqual({ limit: 12, note: 'Agreed' })
  expect((Date.parse(expires_at) - Date.now()) / dayMs).toBeCloseTo(14, 1)
  visitor.expectNoComplaint()
})

it('shows what a colleague changed in an override before it is saved together with this change', async () => {
  const caller = await organizationOf4711()
  const end = new Date(Date.now() + 3 * dayMs).toISOString()
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 5, expires_at: end })
  const { visitor, drawer, question, read } = await editSeats(caller)
  await drawer.getByLabel('Value').fill('12')
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 5, expires_at: null })

  await drawer.getByRole('button', { name: 'Save override' }).click()
  await question.getByText('Expires: Never expires.').waitFor()
  await drawer.getByRole('button', { name: 'Never', pressed: true }).waitFor()
  expect(await read()).toMatchObject({ limit: 5, expires_at: null })
  await drawer.getByRole('button', { name: 'Save override' }).click()

  await drawer.getByText('The override of Seats is in force now.').waitFor()
  expect(await read()).toMatchObject({ limit: 12, expires_at: null })
  visitor.expectNoComplaint()
})

it('warns before an override that a colleague has removed is created again', async () => {
  const caller = await organizationOf4711()
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 5 })
  const { visitor, drawer, question, read } = await editSeats(caller)
  await drawer.getByLabel('Value').fill('12')
  await caller.rest('DELETE', '/org/subscribers/4711/overrides/seats')

  await drawer.getByRole('button', { name: 'Save override' }).click()
  await question.getByText('Someone else removed this while you were editing').waitFor()
  expect(await read()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()

  await drawer.getByText('The override of Seats is in force now.').waitFor()
  expect(await read()).toMatchObject({ limit: 12, expires_at: null })
  visitor.expectNoComplaint()
})

it('offers viewers no writes, but a check, which counts as an eval', async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers/4711?feature=seats')
  const { page, inspect } = visitor
  await page.getByText('Your role, viewer, cannot change subscribers.').waitFor()
  const drawer = page.getByRole('dialog', { name: 'Seats' })
  await drawer.getByText('Seats: up to 1,000 for you.').waitFor()
  expect(await drawer.getByRole('button', { name: /Override|Save|Remove/ }).count()).toBe(0)
  await drawer.getByRole('button', { name: 'Close' }).click()
  await drawer.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /Override |Change plan|More for/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Try a check' }).click()
  const check = page.getByRole('dialog', { name: 'Try a check' })
  await check.getByLabel('Feature').selectOption('seats')
  const clicked = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    await clicked.promise
    await route.continue()
  })
  const button = check.getByRole('button', { name: 'Check (1 eval)' })
  await button.click()
  await button.click()
  clicked.resolve()
  await check.getByText('"limit": 1000').waitFor()
  await inspect('subscriber-check')
  const { body } = await caller.rest('GET', '/org/eval-usage')
  expect(body).toMatchObject({ used: 1 })
  visitor.expectNoComplaint()
})

it('adds a subscriber on a plan, and then finds, renames and deletes it', async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers')
  const { page, inspect } = visitor

  await page.getByRole('button', { name: 'Add subscriber' }).click()
  const form = page.getByRole('dialog', { name: 'Add subscriber' })
  await form.getByRole('textbox', { name: 'Id' }).fill('4711')
  await form.getByLabel('Name').fill('Initech')
  await form.getByLabel('Plan').selectOption('free')
  await form.getByRole('button', { name: 'Add subscriber' }).click()
  await form.getByText(/4711.*exists/).waitFor()
  await inspect('subscriber-create-refused')
  await form.getByRole('textbox', { name: 'Id' }).fill('4712')
  await form.getByRole('button', { name: 'Add subscriber' }).click()
  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor()

  await page.getByRole('link', { name: 'Subscribers' }).first().click()
  await page.getByLabel('Search by id or name').fill('tec')
  await page.getByLabel('Plan').selectOption('free')
  const rows = page.getByRole('table', { name: 'Subscribers' }).getByRole('link')
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('tec')
  await expect.poll(() => new URL(page.url()).searchParams.get('plan')).toBe('free')
  await page.getByLabel('Plan').selectOption('Without a plan')
  await page.getByText('No subscriber matches').waitFor()
  await page.getByLabel('Plan').selectOption('free')
  await rows.first().click()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Initrode')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { level: 1, name: 'Initrode' }).waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Initrode' })
  await dialog.getByText('0 overrides').waitFor()
  await inspect('subscriber-delete')
  await dialog.getByLabel('Type 4712 to confirm').fill('4712')
  await dialog.getByRole('button', { name: 'Delete subscriber' }).click()
  await page.getByText('Subscriber 4712 was deleted.').waitFor()
  const { status } = await caller.rest('GET', '/org/subscribers/4712')
  expect(status).toBe(404)
})
