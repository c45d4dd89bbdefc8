import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

async function enterWithCatalog(role: string, path: string) {
  const caller = await service.organization()
  await fillCatalog(caller)
  return { caller, ...(await enter({ service, browser }, caller, role, path)) }
}

const firstLine = (text: string) => text.split('\n')[0]?.trim()

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Grants of each plan' })

const plansOf = (page: Page) => gridOf(page).getByRole('columnheader').getByRole('link').allInnerTexts()

const featuresOf = async (page: Page) =>
  (await gridOf(page).getByRole('rowheader').getByRole('link').allInnerTexts()).map(firstLine)

/** Holds a finger still on an element for `holdMs` by the page's clock, and then moves it to the upper left of another. */
async function swipe(page: Page, from: Locator, to: Locator, { holdMs }: { holdMs: number }): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('Both elements must be on the page.')
  const [x, y] = [start.x + start.width / 2, start.y + start.height / 2]
  const touches = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  // The clock cannot be paused at a time that has passed before the page gets this.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 30_000))
  await touch('touchStart', [{ x, y }])
  await page.clock.runFor(holdMs)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await touch('touchMove', [{ x: x + (end.x + 6 - x) * part, y: y + (end.y + 6 - y) * part }])
  }
  await touch('touchEnd', [])
  await page.clock.resume()
}

async function positions(caller: Caller, kind: 'plans' | 'features'): Promise<Record<string, number | undefined>> {
  const found: { key: string; position?: number }[] = (await caller.rest('GET', `/org/${kind}`)).body[kind]
  return Object.fromEntries(found.map(({ key, position }) => [key, position]))
}

it('moves plans and features with menus, even by keyboard alone, and undoes a move', async () => {
  const { caller, visitor } = await enterWithCatalog('developer', '/plans')
  const { page } = visitor
  await gridOf(page).waitFor()
  expect(await plansOf(page)).toEqual(['free', 'pro', 'enterprise'])

  await gridOf(page).getByRole('link', { name: 'enterprise', exact: true }).focus()
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move enterprise')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move left', exact: true }).waitFor()
  await visitor.inspect('plans-move')
  await page.getByRole('menuitem', { name: 'Move left', exact: true }).press('Enter')
  await expect.poll(() => plansOf(page)).toEqual(['free', 'enterprise', 'pro'])
  await page.getByText('“enterprise” was moved.').waitFor()
  await expect.poll(() => positions(caller, 'plans')).toEqual({ free: 1, enterprise: 2, pro: undefined })

  await page.getByRole('button', { name: 'Move pro' }).click()
  await page.getByRole('menuitem', { name: 'Move to the left end' }).click()
  await expect.poll(() => positions(caller, 'plans')).toEqual({ free: 1, enterprise: 2, pro: 0 })
  await expect.poll(() => plansOf(page)).toEqual(['pro', 'free', 'enterprise'])
  await page.getByRole('alert').filter({ hasText: '“pro” was moved.' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => plansOf(page)).toEqual(['free', 'enterprise', 'pro'])
  await expect.poll(async () => (await positions(caller, 'plans')).pro).toBeUndefined()

  const before = await featuresOf(page)
  await page.getByRole('button', { name: `Move ${before[0]}` }).click()
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await expect.poll(async () => (await featuresOf(page)).slice(0, 2)).toEqual([before[1], before[0]])
  await page.getByText(`“${before[0]}” was moved.`).waitFor()
  await page.reload()
  await gridOf(page).waitFor()
  expect((await featuresOf(page)).slice(0, 2)).toEqual([before[1], before[0]])
  visitor.expectNoComplaint()
})

it('drags a plan to another plan’s position, but refuses this if somebody else has changed the plan', async () => {
  const { caller, visitor } = await enterWithCatalog('developer', '/plans')
  const { page } = visitor
  const head = (name: string) => gridOf(page).getByRole('columnheader', { name: new RegExp(`^${name}`) })
  await head('free').waitFor()

  await head('enterprise').dragTo(head('free'), { targetPosition: { x: 8, y: 20 }, steps: 5 })
  await expect.poll(() => plansOf(page)).toEqual(['enterprise', 'free', 'pro'])
  await expect.poll(() => positions(caller, 'plans')).toEqual({ enterprise: 1, free: undefined, pro: undefined })

  // Once the page shows this message, it has read the plans again.
  await page.getByText('“enterprise” was moved.').waitFor()
  await caller.rest('PATCH', '/org/plans/pro', { name: 'Professional' })
  await head('pro').dragTo(head('enterprise'), { targetPosition: { x: 8, y: 20 }, steps: 5 })
  await page
    .getByRole('alert')
    .filter({ hasText: /changed/i })
    .waitFor()
  await expect.poll(() => plansOf(page)).toEqual(['enterprise', 'free', 'Professional'])
  expect((await positions(caller, 'plans')).pro).toBeUndefined()
})

it('moves a plan and a feature after a long press, and scrolls if the finger moves at once', async () => {
  const { visitor } = await enterWithCatalog('developer', '/plans')
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 844 })
  await page.clock.install()
  const head = (name: string) => gridOf(page).getByRole('columnheader', { name: new RegExp(`^${name}`) })
  await head('free').waitFor()

  const box = gridOf(page).locator('..')
  await swipe(page, head('pro'), head('free'), { holdMs: 0 })
  await expect.poll(() => box.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  expect(await plansOf(page)).toEqual(['free', 'pro', 'enterprise'])
  await box.evaluate((element) => element.scrollTo(0, 0))
  await swipe(page, head('pro'), head('free'), { holdMs: 400 })
  await expect.poll(() => plansOf(page)).toEqual(['pro', 'free', 'enterprise'])

  const [first = '', second = ''] = await featuresOf(page)
  const row = (name: string) => gridOf(page).getByRole('rowheader', { name: new RegExp(`^${name}`) })
  await swipe(page, row(second), row(first), { holdMs: 400 })
  await expect.poll(async () => (await featuresOf(page)).slice(0, 2)).toEqual([second, first])
  visitor.expectNoComplaint()
})

it('shows plans and features in the vendor’s order wherever they are listed or chosen', async () => {
  const { caller, visitor, base } = await enterWithCatalog('admin', '/features')
  const { page } = visitor
  // Plans without positions are listed in the order of the matrix.
  await page
    .getByRole('row', { name: /^Seats/ })
    .getByText('free, pro, enterprise')
    .waitFor()
  for (const [key, position] of [
    ['enterprise', 1],
    ['pro', 2],
  ] as const)
    await caller.rest('PATCH', `/org/plans/${key}`, { position })
  for (const [key, position] of [
    ['theme', 1],
    ['seats', 2],
  ] as const)
    await caller.rest('PATCH', `/org/features/${key}`, { position })

  await page.reload()
  const rows = page.getByRole('table', { name: 'Features' }).getByRole('link')
  await expect.poll(async () => (await rows.allInnerTexts()).slice(0, 2)).toEqual(['Theme', 'Seats'])
  await page
    .getByRole('row', { name: /^Seats/ })
    .getByText('enterprise, pro, free')
    .waitFor()

  await page.goto(`${base}/features/seats`)
  const onPlans = page.getByRole('table', { name: 'Its value on each plan' }).getByRole('link')
  await expect.poll(() => onPlans.allInnerTexts()).toEqual(['enterprise', 'pro', 'free'])

  await page.goto(`${base}/plans/pro`)
  const grants = page.getByRole('table', { name: 'Grants' }).getByRole('link')
  await expect.poll(async () => (await grants.allInnerTexts()).slice(0, 2).map(firstLine)).toEqual(['Theme', 'Seats'])

  await page.goto(`${base}/subscribers/acme?change=1`)
  const choices = page.getByLabel(/^New plan/).getByRole('option')
  await expect
    .poll(() => choices.allInnerTexts())
    .toEqual(['Choose…', 'enterprise', 'free', 'No plan: cancel the subscription'])
  const features = page
    .getByRole('table', { name: 'Features of this subscriber', includeHidden: true })
    .locator('[data-row-link]')
  await expect.poll(async () => (await features.allInnerTexts()).slice(0, 2)).toEqual(['Theme', 'Seats'])

  await page.goto(`${base}/bulk`)
  const chosen = page.getByRole('combobox', { name: 'Feature' }).getByRole('option')
  await expect
    .poll(async () => (await chosen.allInnerTexts()).slice(0, 3))
    .toEqual(['Choose…', 'Theme (theme)', 'Seats (seats)'])
  await page.getByText('Change the plan').click()
  const newPlans = page.getByLabel('New plan').getByRole('option')
  await expect
    .poll(() => newPlans.allInnerTexts())
    .toEqual(['Choose…', 'enterprise', 'pro', 'free', 'No plan: cancel the subscriptions'])
  visitor.expectNoComplaint()
})

it('offers no moves to viewers, or while a filter hides some features', async () => {
  const { visitor } = await enterWithCatalog('viewer', '/plans')
  await gridOf(visitor.page).waitFor()
  expect(await visitor.page.getByRole('button', { name: /^Move / }).count()).toBe(0)

  const developer = (await enterWithCatalog('developer', '/plans?q=s')).visitor.page
  await gridOf(developer).waitFor()
  expect(await developer.getByRole('button', { name: /^Move / }).count()).toBe(0)
})
