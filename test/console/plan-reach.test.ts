import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { toLines } from '../support/import.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const customers = 1_150

const limit = (value: number) => ({ kind: 'limit', limit: value })

/** A plan of many subscribers, one of whom has an override of seats. */
async function organization(): Promise<Caller> {
  const caller = await service.organization()
  const { feature, plan, override } = vendor(caller)
  await feature('seats', { kind: 'limit', name: 'Seats' })
  await feature('theme', { kind: 'config', value_type: 'json', name: 'Theme' })
  await plan('pro', { seats: limit(10), theme: { kind: 'config', value: { accent: 'blue', dense: true } } })
  const lines = Array.from({ length: customers }, (_, index) => ({ subscriber_id: `c${index}`, plan_id: 'pro' }))
  const { status } = await caller.rest('POST', '/org/subscribers/import', toLines(lines), {
    'content-type': 'application/x-ndjson',
  })
  expect(status).toBe(200)
  await override('c0', 'seats', limit(99))
  return caller
}

const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
const reviewOf = (page: Page) => page.getByRole('dialog', { name: 'Review changes' })

async function change(page: Page, row: number, text: string): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Grants of each plan' })
  await grid.getByRole('gridcell').nth(row).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

it('links each number of the review to its subscribers, and can let subscribers keep the old value and undo that', async () => {
  const caller = await organization()
  const { get } = vendor(caller)
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/plans')
  const { page } = visitor
  await change(page, 0, '5')
  await barOf(page).getByText('Lower limit of seats for 1,149, 1 keeps theirs through an override.').waitFor()
  await barOf(page).getByRole('button', { name: 'Review' }).click()

  await reviewOf(page).getByRole('link', { name: '1,149' }).click()
  await page.getByRole('heading', { level: 1, name: 'Subscribers' }).waitFor()
  expect(new URL(page.url()).search).toBe('?plan=pro&without_override_of=seats')
  await page.getByText('c1', { exact: true }).waitFor()
  await visitor.inspect('subscribers-reached')
  await page.getByRole('searchbox').fill('c0')
  await page.getByText('No subscriber matches').waitFor()
  await page.getByRole('button', { name: 'Without an override of seats: remove this filter' }).press('Enter')
  await page.getByText('c0', { exact: true }).waitFor()
  await page.goBack()
  await reviewOf(page).getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Subscribers' }).waitFor()
  expect(new URL(page.url()).search).toBe('?plan=pro&with_override_of=seats')
  await page.getByText('c0', { exact: true }).waitFor()
  expect(await page.getByText('c1', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'With an override of seats: remove this filter' }).waitFor()
  await page.goBack()

  const keep = reviewOf(page).getByRole('button', { name: 'Keep the old value for these…' })
  await visitor.inspect('plans-review-reach')
  await keep.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Keep the old value' })
  await dialog.getByText('1,149 subscribers of pro without an override of seats get one with 10').waitFor()
  await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('Keeps what plan pro granted before: 10.')
  await visitor.inspect('plans-keep-old-value')
  await dialog.getByLabel('Note').fill('Contracts of 2025')
  await dialog.getByRole('button', { name: 'Override for them' }).click()
  await page.getByText('1,149 overrides of seats made.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await reviewOf(page)
    .getByText(/^Lower limit of seats for nobody, 1,150 keep theirs/)
    .waitFor()
  expect(await keep.count()).toBe(0)
  const { overrides } = await get('/org/subscribers/c7/overrides')
  expect(overrides).toMatchObject([{ feature: 'seats', limit: 10, note: 'Contracts of 2025' }])

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await reviewOf(page)
    .getByText(/^Lower limit of seats for 1,149/)
    .waitFor()
  expect((await get('/org/subscribers/c7/overrides')).overrides).toEqual([])
  expect((await get('/org/subscribers/c0/overrides')).overrides).toMatchObject([{ limit: 99 }])
  visitor.expectNoComplaint()
})

it('offers to undo the overrides that were created before the connection was lost', async () => {
  const caller = await organization()
  const overrideOf = async (id: string) => (await vendor(caller).get(`/org/subscribers/${id}/overrides`)).overrides
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/plans')
  const { page } = visitor
  await change(page, 0, '5')
  await barOf(page).getByRole('button', { name: 'Review' }).click()
  await reviewOf(page).getByRole('button', { name: 'Keep the old value for these…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep the old value' })
  let imports = 0
  await page.route('**/graphql', (route) => {
    const isImport = route.request().postData()?.includes('importSubscribers') === true
    if (isImport) imports += 1
    return isImport && imports === 2 ? route.abort() : route.continue()
  })

  await dialog.getByRole('button', { name: 'Override for them' }).click()

  await dialog.getByRole('alert').waitFor()
  await page.getByText('1,000 overrides of seats made.').waitFor()
  expect(await overrideOf('c1')).toMatchObject([{ limit: 10 }])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await overrideOf('c1')).toEqual([])
  expect(await overrideOf('c0')).toMatchObject([{ limit: 99 }])
})

it('leaves out subscribers whose override starts later when others keep the old value', async () => {
  const caller = await service.organization()
  const { feature, plan, subscriber, subscribe, override, get } = vendor(caller)
  await feature('seats', { kind: 'limit' })
  await plan('pro', { seats: limit(10) })
  for (const id of ['c1', 'c2', 'c3']) {
    await subscriber(id)
    await subscribe(id, 'pro')
  }
  const scheduled = { ...limit(50), starts_at: '2099-01-01T00:00:00.000Z' }
  await override('c2', 'seats', scheduled)
  const overridesOf = async (id: string) =>
    (await get(`/org/subscribers/${id}/overrides?include_expired=true`)).overrides
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/plans')
  const { page } = visitor
  await change(page, 0, '5')
  await barOf(page).getByRole('button', { name: 'Review' }).click()
  const keep = reviewOf(page).getByRole('button', { name: 'Keep the old value for these…' })
  const dialog = page.getByRole('dialog', { name: 'Keep the old value' })
  // The offer to undo the first overrides remains for half a minute, and until the next change.
  await page.clock.setFixedTime(new Date())

  await keep.click()
  await dialog.getByText('2 subscribers of pro without an override of seats get one with 10').waitFor()
  await dialog.getByText('1 subscriber whose override starts later is left out.').waitFor()
  await dialog.getByRole('button', { name: 'Override for them' }).click()
  await page.getByText('2 overrides of seats made. 1 subscriber left out, whose override starts later.').waitFor()
  expect(await overridesOf('c2')).toMatchObject([scheduled])
  expect(await overridesOf('c1')).toMatchObject([{ limit: 10 }])

  // Nobody remains but the subscriber who is left out.
  await keep.click()
  await dialog.getByRole('button', { name: 'Override for them' }).click()
  await page.getByText('No override of seats made. 1 subscriber left out').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await overridesOf('c1')).toEqual([])
  expect(await overridesOf('c2')).toMatchObject([scheduled])
  visitor.expectNoComplaint()
})

it('says in the bar, the review and the audit log who gets another config value, and which of its keys change', async () => {
  const caller = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/plans')
  const { page } = visitor
  const grid = page.getByRole('grid', { name: 'Grants of each plan' })
  await grid.getByRole('gridcell').nth(1).focus()
  await page.keyboard.press('Enter')
  const editor = page.getByRole('dialog', { name: 'Theme on pro' })
  await editor.getByLabel('JSON').fill('{"accent": "green", "dense": true, "logo": "big"}')
  await page.keyboard.press('Control+Enter')

  await barOf(page).getByText('Another value of theme for 1,150.').waitFor()
  expect(await page.getByText('Nobody loses anything').count()).toBe(0)
  await barOf(page).getByRole('button', { name: 'Review' }).click()
  const keys = reviewOf(page).getByRole('list', { name: 'Changes by key' })
  await expect
    .poll(() => keys.getByRole('listitem').allInnerTexts())
    .toEqual(['accent from "blue" to "green"', 'logo added: "big"'])
  await visitor.inspect('plans-review-json')
  await reviewOf(page).getByRole('button', { name: 'Save 1 change' }).click()
  await page.getByText('“pro” was saved.').waitFor()

  await page.goto(`${base}/audit-log`)
  await page.getByText('changed config theme on plan pro: accent and logo').click()
  const entry = page.getByRole('dialog')
  await expect
    .poll(() => entry.getByRole('list', { name: 'Changes by key' }).getByRole('listitem').allInnerTexts())
    .toEqual(['accent from "blue" to "green"', 'logo added: "big"'])
  await visitor.inspect('audit-entry-json')
  visitor.expectNoComplaint()
})
