import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { fillCatalog, fillLargeCatalog } from './catalog.ts'
import { enter, returnToTab } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

async function enterWithCatalog(role: string, path: string) {
  const caller = await service.organization()
  await fillCatalog(caller)
  return { caller, ...(await enter({ service, browser }, caller, role, path)) }
}

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Grants of each plan' })
const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })

/** The cell of a feature on a plan, both by name. */
async function cellOf(page: Page, feature: string, plan: string): Promise<Locator> {
  const grid = gridOf(page)
  const row = grid.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${feature}`) }) })
  await row.waitFor()
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  return row.getByRole('gridcell').nth(heads.findIndex((head) => head.split('\n')[0] === plan) - 1)
}

async function type(page: Page, feature: string, plan: string, text: string): Promise<void> {
  await (await cellOf(page, feature, plan)).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const grantsOf = async (caller: Caller, plan: string) => (await vendor(caller).get(`/org/plans/${plan}`)).grants

describe('the matrix of plans', () => {
  it('raises a limit in four actions, and shows whom the change affects before it is saved', async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/webhook')
    const { page } = visitor
    await page.getByRole('heading', { name: 'Webhook' }).waitFor()
    const actions = countActions(page)
    const bar = barOf(page)

    await actions.click(page.getByRole('link', { name: 'Plans' }))
    await actions.click(await cellOf(page, 'Seats', 'pro'))
    await actions.type('2500')
    await bar.getByText('1 change on 1 plan, 1 subscriber').waitFor()
    await bar.getByText('Nobody loses anything; 1 override stays in force.').waitFor()
    await actions.click(bar.getByRole('button', { name: 'Save' }))

    await page.getByText('“pro” was saved.').waitFor()
    expect(actions.count()).toBeLessThanOrEqual(4)
    expect((await grantsOf(caller, 'pro')).seats).toEqual({ kind: 'limit', limit: 2500 })
    await expect.poll(() => barOf(page).count()).toBe(0)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    expect((await grantsOf(caller, 'pro')).seats).toEqual({ kind: 'limit', limit: 1000 })

    // Toasts appear above the bar of the next change, which is at the bottom of the window here.
    await page.setViewportSize({ width: 1440, height: 480 })
    await type(page, 'Seats', 'free', '9')
    const toasts = page.locator('[data-position="bottom-right"]')
    const footOfToasts = () => toasts.evaluate((each) => each.getBoundingClientRect().bottom)
    const overlap = async () => (await footOfToasts()) - ((await bar.boundingBox())?.y ?? 0)
    await expect.poll(overlap).toBeLessThanOrEqual(0)
    visitor.expectNoComplaint()
  })

  it('is edited by keyboard alone, with one input at a time', async () => {
    const { visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    const { keyboard } = page
    const limit = await cellOf(page, '🚀', 'free')
    const region = await cellOf(page, 'Data region', 'free')
    const inputs = gridOf(page).locator('input, select, textarea')

    await (await cellOf(page, 'Single sign-on', 'free')).focus()
    await keyboard.press('Space')
    await keyboard.press('ArrowDown')
    expect(await inputs.count()).toBe(0)
    await keyboard.type('x')
    await page.getByText('Enter a whole number, or “unlimited”.', { exact: true }).waitFor()
    expect(await inputs.count()).toBe(1)
    await keyboard.press('Escape')
    await expect.poll(() => inputs.count()).toBe(0)
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowDown')
    await keyboard.type('7')
    await keyboard.press('Tab')
    await keyboard.type('∞')
    await visitor.inspect('plans-editing')
    await keyboard.press('Enter')
    await page.reload()

    await barOf(page).getByText('3 changes on 2 plans').waitFor()
    await limit.focus()
    await expect.poll(() => limit.innerText()).toContain('7')
    await keyboard.press('Delete')
    await expect.poll(() => limit.innerText()).toContain('not granted')
    await region.focus()
    await keyboard.press('Enter')
    await inputs.selectOption('us-east')
    await keyboard.press('Enter')
    await expect.poll(() => region.innerText()).toContain('us-east')
    visitor.expectNoComplaint()
  })

  it('keeps a typed value in its cell when a colleague adds a feature above it meanwhile', async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    await page.clock.install()
    await (await cellOf(page, 'Seats', 'free')).click()
    await page.keyboard.type('4')
    await vendor(caller).feature('projects', { kind: 'limit', name: 'Projects' })
    await returnToTab(page)
    await cellOf(page, 'Projects', 'free')

    await page.keyboard.type('2')
    await page.keyboard.press('Enter')

    await expect.poll(async () => (await cellOf(page, 'Seats', 'free')).innerText()).toContain('42')
    await barOf(page).getByText('1 change on 1 plan').waitFor()
    visitor.expectNoComplaint()
  })

  it.each([
    ['computer', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ])(
    'opens an editor that fills its cell and moves nothing, and marks invalid text, on a %s',
    async (_device, viewport) => {
      const { visitor } = await enterWithCatalog('developer', '/plans')
      const { page } = visitor
      await page.setViewportSize(viewport)
      const cell = await cellOf(page, 'Seats', 'free')
      const before = await boundsOf(cell)
      const input = gridOf(page).locator('input')

      await cell.click()
      await page.getByText(/^A whole number/).waitFor()
      expect(await boundsOf(cell)).toEqual(before)
      const { height, width } = await boundsOf(input)
      expect(Math.max(before.height - height, before.width - width)).toBeLessThanOrEqual(1)
      const valid = await frameOf(input)
      await page.keyboard.type('x')
      await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true')
      const invalid = await frameOf(input)

      expect(invalid.border).not.toBe(valid.border)
      expect(invalid.background).not.toBe(valid.background)
      expect(await boundsOf(cell)).toEqual(before)
      visitor.expectNoComplaint()
    },
  )

  it('accepts JSON of several lines in a cell, and says what is wrong with invalid JSON', async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    const { keyboard } = page
    const cell = await cellOf(page, 'Theme', 'free')
    const input = page.getByRole('dialog', { name: 'Theme on free' }).getByRole('textbox', { name: 'JSON' })

    await cell.click()
    await keyboard.insertText('{ "accent": ')
    await page.getByText('Not JSON: line 1, column 13: expected a value.', { exact: true }).waitFor()
    await keyboard.press('Control+Enter')
    await expect.poll(() => input.inputValue()).toBe('{ "accent": ')
    await visitor.inspect('plans-json-refused')
    await keyboard.press('Escape')
    await page.getByText(/^Theme on free stays as it was\. Not JSON: /).waitFor()
    await expect.poll(() => cell.innerText()).toMatch(/not granted[\s\S]*not saved:[\s\S]*\{ "accent":[\s\S]*Not JSON/)
    await cell.click()
    await expect.poll(() => input.inputValue()).toBe('{ "accent": ')
    await keyboard.press('Control+End')
    await keyboard.press('Enter')
    await keyboard.insertText('"green" }')
    await page.getByRole('button', { name: 'Go to line 1' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Format' }).press('Enter')
    await expect.poll(() => input.inputValue()).toBe('{\n  "accent": "green"\n}')
    await input.press('Control+Enter')
    await expect.poll(() => cell.innerText()).toMatch(/^[\s\S]*\{…\} 1 key$/)
    await input.waitFor({ state: 'detached' })
    await expect.poll(() => cell.evaluate((element) => element === document.activeElement)).toBe(true)

    await (await cellOf(page, 'Theme', 'pro')).click()
    const other = page.getByRole('dialog', { name: 'Theme on pro' }).getByRole('textbox', { name: 'JSON' })
    await expect.poll(async () => JSON.parse(await other.inputValue())).toEqual({ accent: 'blue', dense: true })
    await other.fill('null')
    await page.getByText('Enter a value other than null.', { exact: true }).waitFor()
    await other.fill(JSON.stringify('x'.repeat(65_536)))
    await page.getByText('Use at most 65,536 bytes of JSON; this has 65,538.', { exact: true }).waitFor()
    await other.fill(JSON.stringify('x'.repeat(65_534)))
    await expect.poll(() => page.getByText(/Use at most/).count()).toBe(0)
    await page.getByRole('button', { name: 'Apply' }).click()
    await barOf(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/were saved\.|saved\.$/).waitFor()
    expect((await grantsOf(caller, 'free')).theme).toEqual({ kind: 'config', value: { accent: 'green' } })
    expect((await grantsOf(caller, 'pro')).theme.value).toHaveLength(65_534)
    visitor.expectNoComplaint()
  })

  it('requests one preview for text typed without pauses, and keeps an invalid limit, marked and not saved', async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    const cell = await cellOf(page, 'Seats', 'pro')
    let previews = 0
    page.on('request', (request) => {
      if (request.postData()?.includes('PreviewPlanUpdate')) previews++
    })

    await (await cellOf(page, 'Seats', 'free')).click()
    await gridOf(page).locator('input').evaluate(typeWithoutPause, ['1', '12', '25'])
    await barOf(page).getByText('Nobody loses anything.').waitFor()
    expect(previews).toBe(1)

    await cell.click()
    await page.keyboard.type('2x')
    await barOf(page).getByRole('button', { name: 'Review' }).click()
    await page.getByText('Seats on pro stays as it was. Enter a whole number, or “unlimited”.').waitFor()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    await review.getByText('1 change on 1 plan').waitFor()
    await review.getByText('Seats on pro is not valid. Enter a whole number, or “unlimited”.').waitFor()
    await review.getByRole('button', { name: 'Save 1 change' }).click()
    const editor = page.getByRole('textbox', { name: 'Seats on pro' })
    await review.waitFor({ state: 'detached' })
    await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await grantsOf(caller, 'free')).seats).toEqual({ kind: 'limit', limit: 3 })
    await page.reload()
    await barOf(page).getByText('Seats on pro is not valid. Enter a whole number, or “unlimited”.').waitFor()
    await expect.poll(() => cell.innerText()).toMatch(/1,000[\s\S]*not saved:[\s\S]*2x[\s\S]*Enter a whole number/)
    await visitor.inspect('plans-unfinished')

    await cell.click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Seats on pro' }).inputValue()).toBe('2x')
    await page.keyboard.press('Escape')
    await expect.poll(() => cell.innerText()).toBe('1,000')
    await barOf(page).getByText('Nobody loses anything.').waitFor()
    await barOf(page).getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await grantsOf(caller, 'free')).seats).toEqual({ kind: 'limit', limit: 25 })
    visitor.expectNoComplaint()
  })

  it('saves plan by plan, and keeps refused plans in the draft', async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    await cellOf(page, 'Seats', 'pro')
    await vendor(caller).feature('greeting', { kind: 'config', value_type: 'string', name: 'Greeting' })
    await page.reload()
    await type(page, 'Seats', 'pro', '5')
    await (await cellOf(page, 'Single sign-on', 'pro')).click()
    await (await cellOf(page, 'Greeting', 'free')).click()
    await gridOf(page).locator('input').fill('x'.repeat(100_000))

    await barOf(page).getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    const pro = review.getByRole('region', { name: 'pro' })
    await pro.getByText('1 loses sso.').waitFor()
    await pro.getByText('Lower limit of seats for nobody, 1 keeps theirs through an override.').waitFor()
    await review
      .getByText(/at most/)
      .first()
      .waitFor()
    await visitor.inspect('plans-review')
    await review.getByRole('button', { name: 'Save 3 changes' }).click()

    await review.getByText('pro is saved. free is not:').waitFor()
    await review.getByRole('region', { name: 'free' }).getByText('VALIDATION_ERROR').waitFor()
    await review.getByRole('button', { name: 'Close' }).click()
    await type(page, '🚀', 'free', '8')
    await barOf(page).getByRole('button', { name: 'Review' }).click()
    await review.getByText('2 changes on 1 plan').waitFor()
    expect(await review.getByText('pro is saved. free is not:').count()).toBe(0)
    expect(await grantsOf(caller, 'pro')).toMatchObject({ seats: { limit: 5 } })
    expect(await grantsOf(caller, 'pro')).not.toHaveProperty('sso')
    expect(await grantsOf(caller, 'free')).not.toHaveProperty('greeting')
    await review.getByRole('button', { name: 'Discard the changes on free' }).click()
    await review.getByText('No changes').waitFor()
  })

  it("merges a colleague's change to another cell, names the colleague, and asks about a change to the same cell", async () => {
    const { caller, visitor } = await enterWithCatalog('admin', '/plans')
    const { page } = visitor
    await type(page, 'Seats', 'pro', '2500')
    const colleague = await enter({ service, browser }, caller, 'developer', '/plans')
    const theirs = colleague.visitor.page
    await (await cellOf(theirs, 'Single sign-on', 'free')).waitFor()
    await (await cellOf(theirs, '🚀', 'pro')).click()
    await theirs.keyboard.type('9')
    await barOf(theirs).getByRole('button', { name: 'Save' }).click()
    await theirs.getByText('“pro” was saved.').waitFor()

    await barOf(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Ada changed x on pro while you were editing\./).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('“pro” was saved.').waitFor()
    expect(await grantsOf(caller, 'pro')).toMatchObject({ seats: { limit: 2500 }, x: { limit: 9 } })

    await theirs.reload()
    await (await cellOf(theirs, 'Seats', 'pro')).click()
    await theirs.keyboard.type('3000')
    await barOf(theirs).getByRole('button', { name: 'Save' }).click()
    await theirs.getByText('“pro” was saved.').waitFor()
    await type(page, 'Seats', 'pro', '4000')
    await page.getByText(/^Ada changed seats on pro while you were editing. Which one do you want to keep\?/).waitFor()
    await visitor.inspect('plans-contested')
    await page.getByRole('button', { name: 'Keep yours: 4,000' }).click()
    await barOf(page).getByRole('button', { name: 'Save' }).click()

    await expect.poll(async () => (await grantsOf(caller, 'pro')).seats.limit).toBe(4000)
    visitor.expectNoComplaint()
  })

  it('shows 200 features and 12 plans with at most one input', async () => {
    const caller = await service.organization()
    await fillLargeCatalog(service, caller, { features: 200, plans: 12 })
    const { visitor } = await enter({ service, browser }, caller, 'developer', '/plans')
    const { page } = visitor
    const grid = gridOf(page)
    await grid.getByRole('gridcell').first().waitFor()
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('203')
    expect(await grid.locator('input, select, textarea').count()).toBe(0)
    await visitor.inspect('plans-large')

    await page.getByRole('link', { name: 'Features' }).click()
    await page.getByRole('heading', { name: 'Features' }).waitFor()
    await page.getByRole('link', { name: 'Plans' }).click()
    // An edge is faded if there are more rows or columns beyond it, because the box may end exactly between two rows.
    await page.locator('[data-more-below="true"][data-more-right="true"]').waitFor()
    await grid.getByRole('gridcell').first().focus()
    await page.keyboard.press('Control+End')
    await expect.poll(() => page.locator(':focus').getAttribute('data-cell')).toBe('199:11')
    await page.locator('[data-more-below="false"][data-more-right="false"]').waitFor()
    await page.keyboard.type('5')
    expect(await grid.locator('input, select, textarea').count()).toBe(1)
    await barOf(page).getByText('1 change on 1 plan').waitFor()
    visitor.expectNoComplaint()
  })
})

describe('a plan', () => {
  it("is created with another plan's grants, renamed, archived and deleted", async () => {
    const { caller, visitor } = await enterWithCatalog('developer', '/plans')
    const { page } = visitor
    const archived = page.getByRole('definition').getByText('archived')
    async function choose(item: string): Promise<void> {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Add plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Pro plus')
    await dialog.getByLabel('Grants').selectOption('pro')
    await visitor.inspect('plan-create')
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await gridOf(page).getByRole('link', { name: 'Pro plus' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pro plus' }).waitFor()
    expect(await grantsOf(caller, 'pro-plus')).toEqual(await grantsOf(caller, 'pro'))

    await choose('Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('Pro max')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pro max' }).waitFor()
    // One of the reads after the write is slow, but the page shows the plan's new state before all reads have ended.
    await page.route('**/graphql', async (route) => {
      const isSlow = route.request().postData()?.includes('query FeatureNames')
      if (isSlow) await archived.waitFor()
      await route.continue()
    })
    // Begins to wait before the click: on a slow machine, the toast may disappear before a later wait begins.
    const toast = page.getByText('Plan pro-plus is archived: it takes no new subscriptions.').waitFor()
    await choose('Archive')
    await toast
    await page.unroute('**/graphql')
    await archived.waitFor()

    await choose('Delete')
    await page.getByRole('dialog').getByText('Nobody is on it now.').waitFor()
    const deleted = page.getByText('Plan pro-plus was deleted.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete plan' }).click()
    await deleted
    expect((await caller.rest('GET', '/org/plans/pro-plus')).status).toBe(404)
    visitor.expectNoComplaint()
  })

  it('has a history from which all changes of one save can be reverted as a draft', async () => {
    const { caller, visitor } = await enterWithCatalog('admin', '/plans/pro')
    const { page } = visitor
    const before = await grantsOf(caller, 'pro')
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('Created').waitFor()
    await caller.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: 7 } } })
    await page.reload()
    await history.getByRole('link', { name: 'In the audit log' }).waitFor()
    await visitor.inspect('plan-history')
    await history.getByRole('button', { name: 'Revert 4 changes' }).click()

    const review = page.getByRole('dialog', { name: 'Review changes' })
    await review.getByText('4 changes on 1 plan, 1 subscriber').waitFor()
    await review.getByRole('button', { name: 'Save 4 changes' }).click()

    await page.getByText('“pro” was saved.').waitFor()
    expect(await grantsOf(caller, 'pro')).toEqual(before)
    visitor.expectNoComplaint()
  })

  it('cannot be edited by a viewer', async () => {
    const { visitor } = await enterWithCatalog('viewer', '/plans')
    const { page } = visitor
    await page.getByText('Your role, viewer, cannot change plans.').waitFor()
    expect(await page.getByRole('button', { name: 'Add plan' }).count()).toBe(0)
    await expect.poll(() => gridOf(page).getAttribute('aria-readonly')).toBe('true')
    await (await cellOf(page, 'Seats', 'pro')).click()
    await page.keyboard.type('5')
    expect(await gridOf(page).locator('input').count()).toBe(0)
    expect(await barOf(page).count()).toBe(0)
  })
})

async function boundsOf(element: Locator) {
  const bounds = await element.boundingBox()
  if (!bounds) throw new Error('The element is not visible')
  return bounds
}

function frameOf(input: Locator): Promise<{ border: string; background: string }> {
  return input.evaluate((element) => {
    const { borderTopColor: border, backgroundColor: background } = getComputedStyle(element)
    return { border, background }
  })
}

/** Types all texts in the page at once, so that even a slow machine makes no pause between them. */
function typeWithoutPause(input: HTMLElement | SVGElement, texts: string[]): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const text of texts) {
    setValue?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
