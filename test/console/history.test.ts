import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { createFlags, fillCatalog } from './catalog.ts'
import { writeEndingSoon } from './end-soon.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** A filled organization whose customer 4711 is on pro. */
async function organizationOf4711(): Promise<Caller> {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PATCH', '/org/features/export', { name: 'Export' })
  await vendor(caller).subscriber('4711')
  await vendor(caller).subscribe('4711', 'pro')
  return caller
}

/** Grants customer 4711 the export with an override that ends after this time. Resolves to its end. */
function overrideExport(caller: Caller, afterMs: number): Promise<number> {
  return writeEndingSoon(afterMs, (expires_at) =>
    vendor(caller).override('4711', 'export', { kind: 'flag', allowed: true, expires_at }),
  )
}

async function removeGrant(caller: Caller, feature: string): Promise<void> {
  const { grants } = await vendor(caller).get('/org/plans/pro')
  delete grants[feature]
  const answer = await caller.rest('PATCH', '/org/plans/pro', { grants, note: 'Sold apart' })
  expect(answer.status).toBe(200)
}

it('lets support see why a subscriber lost a feature, and grant it again for 14 days, in 5 actions', async () => {
  const caller = await organizationOf4711()
  await overrideExport(caller, 3000)
  await removeGrant(caller, 'sso')
  const { visitor } = await enter({ service, browser }, caller, 'support', '')
  const { page, inspect } = visitor
  const actions = countActions(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await actions.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').waitFor()
  await actions.type('4711')
  await actions.press('Enter')

  const sso = page.getByRole('row', { name: /Single sign-on/ })
  await sso.getByText(/^off since .+: removed from plan pro by admin$/).waitFor()
  const row = page.getByRole('row', { name: /Export/ })
  // The page reads its data again when the override ends.
  await row.getByText(/^off since .+: admin’s override expired$/).waitFor()
  await row.getByText(/^off since/).hover()
  await page.getByRole('tooltip', { name: /UTC$/ }).waitFor()
  await actions.click(row.getByRole('button', { name: 'Override Export' }))
  const drawer = page.getByRole('dialog', { name: 'Export' })
  const changes = drawer.getByRole('list', { name: 'Latest changes' })
  await changes.getByText('admin’s override expired').first().waitFor()
  // The second, if the override was written again.
  const given = changes
    .getByText('overridden by admin')
    .or(changes.getByText('granted again with an override by admin'))
  await given.first().waitFor()
  await inspect('subscriber-vanished')
  await actions.click(drawer.getByRole('button', { name: 'Override', exact: true }))
  await changes.getByText('granted again with an override by Ada').waitFor()
  expect(actions.count()).toBe(5)
  const { overrides } = await vendor(caller).get('/org/subscribers/4711/overrides')
  const days = (Date.parse(overrides[0].expires_at) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(14)
  visitor.expectNoComplaint()
})

it.each([
  ['features', 'answer'],
  ['changes', 'request'],
])("reads a subscriber's %s again if an override ended before the %s for the features arrived", async (_, late) => {
  const caller = await organizationOf4711()
  const { visitor, base } = await enter({ service, browser }, caller, 'support', '')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const endsAt = await overrideExport(caller, 4000)
  let held = 0
  await page.route('**/graphql', async (route) => {
    if (held > 0 || route.request().postDataJSON().operationName !== 'Explanation') return route.continue()
    held += 1
    const response = late === 'answer' ? await route.fetch() : undefined
    await until(() => Date.now() > endsAt)
    return response ? route.fulfill({ response }) : route.continue()
  })

  await page.goto(`${base}/subscribers/4711`)
  await page
    .getByRole('row', { name: /Export/ })
    .getByText(/^off since .+: admin’s override expired$/)
    .waitFor()
  expect(held).toBe(1)
})

it('says in the row of each lost feature why it was lost, even if one change removed 120 features', async () => {
  const caller = await service.organization()
  const keys = Array.from({ length: 120 }, (_, index) => `f${index}`)
  await createFlags(service, caller, keys)
  await vendor(caller).plan('pro', Object.fromEntries(keys.map((key) => [key, { kind: 'flag' }])))
  await vendor(caller).plan('free', {})
  await vendor(caller).subscriber('4711')
  await vendor(caller).subscribe('4711', 'pro')
  await caller.rest('POST', '/org/subscribers/4711/subscriptions/change', { plan_id: 'free' })

  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?q=f99')

  const row = visitor.page.getByRole('row', { name: /f99/ })
  await row.getByText(/^off since .+: moved to plan free by admin$/).waitFor()
  visitor.expectNoComplaint()
})

it('shows the history of a subscriber, of one of its features, and its features at an earlier time', async () => {
  const caller = await organizationOf4711()
  await vendor(caller).override('4711', 'theme', { kind: 'config', value: { accent: 'green', dense: true } })
  await removeGrant(caller, 'sso')
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/subscribers/4711?tab=history')
  const { page, inspect } = visitor

  const lines = page.getByRole('list', { name: 'History' }).locator(':scope > li')
  const removed = lines.filter({ hasText: 'removed from plan pro by admin' })
  await removed.getByText('Sold apart').waitFor()
  await expect.poll(() => removed.getByRole('link', { name: 'Plan' }).getAttribute('href')).toMatch(/\/plans\/pro$/)
  await lines.filter({ hasText: 'overridden by admin' }).getByText('accent').waitFor()
  await lines.filter({ hasText: 'the subscriber was created by admin' }).waitFor()
  await inspect('subscriber-history')

  const choice = page.getByRole('combobox', { name: 'Feature' })
  await choice.focus()
  await choice.selectOption('sso')
  await expect.poll(() => lines.count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('of')).toBe('sso')
  await page.goto(`${base}/subscribers/4711?tab=history&of=gone`)
  await page.getByText('Nothing has changed.').waitFor()

  const { history } = await vendor(caller).get('/org/subscribers/4711/history?feature=sso')
  const before = new Date(Date.parse(history[0].at) - 1).toISOString()
  await page.goto(`${base}/subscribers/4711?at=${before}`)
  const sso = page.getByRole('row', { name: /Single sign-on/ })
  await sso.getByText('on', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Now' }).click()
  await sso.getByText(/^off since/).waitFor()
  await page.goto(`${base}/subscribers/4711?at=2001-01-01T00:00:00.000Z`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByRole('button', { name: 'Now' }).click()
  await sso.getByText(/^off since/).waitFor()
  visitor.expectNoComplaint()
})

it('reverts the removal of a grant as a draft, with a reason that the history shows', async () => {
  const caller = await organizationOf4711()
  await removeGrant(caller, 'sso')
  const { visitor, base } = await enter({ service, browser }, caller, 'developer', '/plans/pro')
  const { page } = visitor
  const changes = page.getByRole('list', { name: 'Changes' })

  await changes.getByText('Sold apart').waitFor()
  await changes.getByRole('listitem').last().getByText('Created').waitFor()
  await changes.getByRole('button', { name: 'Revert' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await review.getByLabel('Reason').fill('Ticket 815')
  await page.reload()
  await expect.poll(() => review.getByLabel('Reason').inputValue()).toBe('Ticket 815')
  await review.getByText('1 change on 1 plan').waitFor()
  expect((await vendor(caller).get('/org/plans/pro')).grants.sso).toBeUndefined()
  await review.getByLabel('Reason').press('Control+Enter')
  await page.getByText('“pro” was saved.').waitFor()

  expect((await vendor(caller).get('/org/plans/pro')).grants.sso).toEqual({ kind: 'flag' })
  await page.goto(`${base}/plans/pro`)
  await changes.getByText('“Ticket 815”').waitFor()
  const { history } = await vendor(caller).get('/org/plans/pro/history')
  expect(history.map(({ note }: { note: string }) => note)).toEqual(['Ticket 815', 'Sold apart'])
  visitor.expectNoComplaint()
})

it("proposes a feature's former name as a draft, and offers viewers no reverts", async () => {
  const caller = await organizationOf4711()
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/export')
  const { page } = visitor
  const renamed = page.getByRole('list', { name: 'Changes' }).getByRole('listitem').filter({ hasText: 'Export' })
  await renamed.getByRole('button', { name: 'Revert' }).click()

  const drawer = page.getByRole('dialog', { name: 'Edit feature' })
  await drawer.getByText('This is a draft. It is not saved yet.').waitFor()
  await expect.poll(() => drawer.getByLabel('Name').inputValue()).toMatch(/^Enterprise reporting/)
  expect((await vendor(caller).get('/org/features/export')).name).toBe('Export')
  await visitor.inspect('feature-revert')
  await drawer.getByRole('button', { name: 'Start over' }).click()
  await expect.poll(() => drawer.getByLabel('Name').inputValue()).toBe('Export')

  const viewer = await enter({ service, browser }, caller, 'viewer', '/features/export')
  await viewer.visitor.page.getByRole('list', { name: 'Changes' }).getByText('changed by admin').first().waitFor()
  expect(await viewer.visitor.page.getByRole('button', { name: 'Revert' }).count()).toBe(0)

  const { visitor: admin } = await enter({ service, browser }, caller, 'admin', '/features/export')
  await admin.page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Revert' }).click()
  const form = admin.page.getByRole('dialog', { name: 'Edit feature' })
  await expect.poll(() => form.getByLabel('Name').inputValue()).toMatch(/^Enterprise reporting/)
  visitor.expectNoComplaint()
})

it('reverts a change of an override as a draft', async () => {
  const caller = await organizationOf4711()
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 25 })
  await vendor(caller).override('4711', 'seats', { kind: 'limit', limit: 30, note: 'Ticket 815' })
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/4711?tab=history')
  const { page } = visitor
  const revert = page.getByRole('list', { name: 'History' }).getByRole('button', { name: 'Revert' })
  await revert.waitFor()
  await visitor.inspect('subscriber-history-support')
  await revert.click()

  const drawer = page.getByRole('dialog', { name: 'Seats' })
  await drawer.getByText('This is a draft. It is not saved yet.').waitFor()
  await expect.poll(() => drawer.getByLabel('Value').inputValue()).toBe('25')
  expect(await vendor(caller).get('/org/subscribers/4711/overrides/seats')).toMatchObject({ limit: 30 })
  await drawer.getByRole('button', { name: 'Save override' }).click()
  await drawer.getByText('The override of Seats is in force now.').waitFor()
  const saved = await vendor(caller).get('/org/subscribers/4711/overrides/seats')
  expect(saved).toMatchObject({ limit: 25, expires_at: null })
  visitor.expectNoComplaint()
})
