import { expect, it } from 'vitest'
import { isRedundant } from '../../src/console/pages/features/clean-up/is-redundant.ts'
import type { Override } from '../../src/console/pages/features/feature.ts'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog, longId } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** Fills the catalog, and adds overrides that change nothing for their subscribers, have expired, or start later. */
async function fill(caller: Caller): Promise<void> {
  await fillCatalog(caller)
  const { override } = vendor(caller)
  const theme = { dense: true, accent: 'blue' }
  await override('acme', 'theme', { kind: 'config', value: theme, note: 'Asked for it in ticket 4711' })
  await override('globex', 'sso', { kind: 'flag', allowed: false, expires_at: '2020-01-01T00:00:00Z' })
  await override('globex', 'export', { kind: 'flag', allowed: false })
  const soon = { starts_at: '2099-01-01T00:00:00Z', expires_at: '2099-02-01T00:00:00Z' }
  await override(longId, 'sso', { kind: 'flag', allowed: true, ...soon })
}

it('finds overrides that have the same value as the plan', () => {
  const flag = (allowed: boolean) => ({ kind: 'FLAG', allowed, limit: null, value: null }) as Override
  const limit = (limit: number | null) => ({ kind: 'LIMIT', allowed: null, limit, value: null }) as Override
  const config = (value: unknown) => ({ kind: 'CONFIG', allowed: null, limit: null, value }) as Override
  const grant = (limit: number | null, value: unknown = null) => ({ limit, value })

  expect([isRedundant(flag(true), grant(null)), isRedundant(flag(false), null)]).toEqual([true, true])
  expect([isRedundant(flag(false), grant(null)), isRedundant(flag(true), null)]).toEqual([false, false])
  expect([isRedundant(limit(null), grant(null)), isRedundant(limit(5), grant(5)), isRedundant(limit(0), null)]).toEqual(
    Array(3).fill(true),
  )
  expect([
    isRedundant(limit(null), grant(5)),
    isRedundant(limit(5), grant(null)),
    isRedundant(limit(null), null),
  ]).toEqual(Array(3).fill(false))
  expect(isRedundant(config({ a: [1, { b: 2 }], c: null }), grant(null, { c: null, a: [1, { b: 2 }] }))).toBe(true)
  for (const other of [{ a: [1] }, { a: [1, 2] }, { a: { 0: 1, 1: 2 } }, 'a', null]) {
    expect(isRedundant(config({ a: [2, 1] }), grant(null, other))).toBe(false)
  }
  expect(isRedundant(config('eu'), null)).toBe(false)
})

it('shows which plans grant a feature, which subscribers override it, and its history', async () => {
  const caller = await service.organization()
  await fill(caller)
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/features')
  const { page } = visitor

  const row = page.getByRole('table', { name: 'Features' }).getByRole('row', { name: /Single sign-on/ })
  await row.getByText('none').waitFor()
  await page.goto(`${base}/features/seats`)
  const plans = page.getByRole('table', { name: 'Its value on each plan' })
  await plans.getByRole('row', { name: /pro.*1,000/ }).waitFor()
  const overrides = page.getByRole('table', { name: 'Subscribers that override this feature' })
  await overrides.getByRole('link', { name: 'acme' }).waitFor()
  await page.getByRole('region', { name: 'History' }).getByRole('link').first().waitFor()
  await visitor.inspect('feature-whole')

  await page.goto(`${base}/features/sso`)
  await page.getByText('No subscriber has a live override of this feature.').waitFor()
  await page.getByText('Expired', { exact: true }).click()
  await overrides.getByRole('link', { name: 'globex' }).waitFor()
  expect(await overrides.getByRole('link').count()).toBe(1)
  expect(new URL(page.url()).search).toBe('?overrides=expired')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: 'enterprise' }).waitFor()
  await expect
    .poll(() => dialog.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringContaining('plan pro'),
      expect.stringContaining('plan enterprise'),
      expect.stringContaining('override of customer-'),
      expect.stringContaining('override of globex'),
    ])
  visitor.expectNoComplaint()
})

it('lists overrides that can be removed, removes one, and restores it', async () => {
  const caller = await service.organization()
  await fill(caller)
  const { visitor, base } = await enter({ service, browser }, caller, 'support', '/features?tab=clean-up')
  const { page } = visitor

  const table = page.getByRole('table', { name: 'Overrides that repeat the plan' })
  await page.getByText('Compared all live overrides: 5.').waitFor()
  await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(['globex', 'acme'])
  await visitor.inspect('features-clean-up')

  const remove = page.getByRole('button', { name: 'Remove the override of theme for acme' })
  await remove.click()
  await page.getByText('Override of theme for acme was removed.').waitFor()
  await expect.poll(() => remove.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await remove.waitFor()
  const { note, value } = await vendor(caller).get('/org/subscribers/acme/overrides/theme')
  expect([note, value]).toEqual(['Asked for it in ticket 4711', { accent: 'blue', dense: true }])

  await page.getByText('Permanent', { exact: true }).click()
  await page.getByRole('table', { name: 'Overrides: Permanent' }).getByRole('link').nth(3).waitFor()
  await page.goto(`${base}/features?tab=clean-up&list=expired`)
  const expired = page.getByRole('table', { name: 'Overrides: Expired' }).getByRole('link')
  await expired.waitFor()
  await expect.poll(() => expired.allInnerTexts()).toEqual(['globex'])
  await visitor.inspect('features-expired')
  visitor.expectNoComplaint()
})

it('moves an option of a feature by keyboard, and stores its new position', async () => {
  const caller = await service.organization()
  await fill(caller)
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/region?edit=1')
  const { page } = visitor

  // Once the drawer is open, it moves the focus to its first field.
  await expect.poll(() => page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Move us-east', exact: true }).focus()
  const said = page.locator('[id^=DndLiveRegion]')
  await page.keyboard.press('Space')
  await expect.poll(() => said.allTextContents()).toEqual([expect.stringMatching(/moved over droppable area us-east/)])
  // The drag-and-drop library handles arrow keys only some time after it has announced the drag.
  const moveUp = async () => {
    await page.keyboard.press('ArrowUp')
    return said.allTextContents()
  }
  await expect.poll(moveUp).toEqual([expect.stringMatching(/moved over droppable area eu-west/)])
  await page.keyboard.press('Space')
  await expect.poll(() => said.allTextContents()).toEqual([expect.stringMatching(/was dropped/)])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Feature region was saved.').waitFor()

  expect((await vendor(caller).get('/org/features/region')).options).toEqual(['us-east', 'eu-west'])
  visitor.expectNoComplaint()
})

it('saves an option that was typed but not added, and refuses one that exists', async () => {
  const caller = await service.organization()
  await fill(caller)
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/region?edit=1')
  const { page } = visitor
  const option = page.getByLabel('New option')
  const optionsOf = async (key: string) => (await vendor(caller).get(`/org/features/${key}`)).options

  await option.fill('eu-west')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/different options/).waitFor()
  expect(await option.inputValue()).toBe('eu-west')
  await option.fill('eu-west-2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Feature region was saved.').waitFor()
  expect(await optionsOf('region')).toEqual(['eu-west', 'us-east', 'eu-west-2'])

  await page.getByRole('link', { name: 'Features', exact: true }).first().click()
  await page.getByRole('button', { name: 'Add feature' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Tier')
  await dialog.getByLabel('config').click()
  await dialog.getByLabel('Value type').selectOption('ENUM')
  await dialog.getByLabel('New option').fill('gold')
  await dialog.getByRole('button', { name: 'Add feature' }).click()
  await page.getByText('Feature tier was added.').waitFor()
  expect(await optionsOf('tier')).toEqual(['gold'])
  visitor.expectNoComplaint()
})

it('names the plans and overrides that still use a removed option', async () => {
  const caller = await service.organization()
  await fill(caller)
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/region?edit=1')
  const drawer = visitor.page.getByRole('dialog', { name: 'Edit feature' })

  await drawer.getByRole('button', { name: 'Remove eu-west' }).click()
  await drawer.getByRole('button', { name: 'Remove us-east' }).click()
  await drawer.getByLabel('New option').fill('ap-south')
  await drawer.getByRole('button', { name: 'Add' }).click()
  await drawer.getByRole('button', { name: 'Save' }).click()

  await drawer.getByText(/Still in use: “eu-west”, “us-east”/).waitFor()
  await drawer.getByRole('listitem').filter({ hasText: 'eu-west: plan pro' }).getByRole('link').waitFor()
  await drawer.getByRole('listitem').filter({ hasText: 'us-east: override of acme' }).getByRole('link').waitFor()
  visitor.expectNoComplaint()
})
