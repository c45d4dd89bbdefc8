import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { importSuccessfully } from '../support/import.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter, returnToTab } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

async function organization() {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit' })
  await given.feature('sso')
  await given.plan('pro', { seats: { kind: 'limit', limit: 10 }, sso: { kind: 'flag' } })
  await given.plan('team', { seats: { kind: 'limit', limit: 3 } })
  for (const id of ['a', 'b', 'c']) await given.subscriber(id)
  for (const id of ['a', 'b']) await given.subscribe(id, 'pro')
  await given.override('b', 'seats', { kind: 'limit', limit: 99, note: 'before' })
  return { caller, given }
}

const limitOf = async (given: ReturnType<typeof vendor>, id: string) =>
  (await given.get(`/org/subscribers/${id}/overrides`)).overrides

it('overrides a feature for all subscribers of a filtered list, and undoes this for all of them at once', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers?plan=pro')
  const { page, inspect } = visitor

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change many' }).click()
  await page.getByText('The subscribers on the plan pro.').waitFor()
  await page.getByRole('combobox', { name: 'Feature' }).selectOption('seats')
  await page.getByRole('textbox', { name: 'Value' }).fill('5')
  await page.getByLabel('Note').fill('TICKET-1')
  await inspect('bulk-form')
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await page.getByText('The change reaches 2. 2 of them would lose something.').waitFor()
  await page.getByRole('row', { name: /^b .* loses seats: now 99, then 5/ }).waitFor()
  await inspect('bulk-checked')
  expect(await limitOf(given, 'a')).toEqual([])

  await page.getByRole('button', { name: 'Apply to 2 subscribers' }).click()
  await page.getByText('2 of 2 were changed.').waitFor()
  expect(await limitOf(given, 'a')).toMatchObject([{ limit: 5, note: 'TICKET-1' }])
  expect(await limitOf(given, 'b')).toMatchObject([{ limit: 5, note: 'TICKET-1' }])

  await page.getByRole('button', { name: 'Undo for all of them' }).click()
  await page.getByText('2 are back to the previous state.').waitFor()
  expect(await limitOf(given, 'a')).toEqual([])
  expect(await limitOf(given, 'b')).toMatchObject([{ limit: 99, note: 'before', expires_at: null }])
  visitor.expectNoComplaint()
})

it('changes the plan of the subscribers with pasted ids, reports unknown ids, and creates no subscriber', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk')
  const { page } = visitor

  await page.getByRole('textbox', { name: 'Ids' }).fill('a\nb, c\n\nnobody; a')
  await page.getByText('Change the plan').click()
  await page.getByLabel('New plan').selectOption('team')
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await page.getByText('The change reaches 3. 2 of them would lose something.').waitFor()
  await page.getByText('No subscriber has these ids: nobody.').waitFor()
  await page.getByRole('row', { name: /^a .*loses seats: now 10, then 3.*loses sso: now on ?, then nothing/ }).waitFor()

  await page.getByRole('button', { name: 'Apply to 3 subscribers' }).click()
  await page.getByText('3 of 3 were changed.').waitFor()
  await page.getByRole('row', { name: /^a .*pro to team .*lost seats: from 10 to 3/ }).waitFor()
  expect((await caller.rest('GET', '/org/subscribers/nobody')).status).toBe(404)
  expect(await given.get('/org/subscribers/c/subscriptions')).toMatchObject({ subscriptions: [{ plan_id: 'team' }] })

  await page.getByRole('button', { name: 'Undo for all of them' }).click()
  await page.getByText('3 are back to the previous state.').waitFor()
  await page.getByRole('row', { name: /^a .*team to pro .*seats: from 3 to 10.*sso: from nothing to on/ }).waitFor()
  const active = async (id: string) =>
    (await given.get(`/org/subscribers/${id}/subscriptions`)).subscriptions
      .filter(({ status }: { status: string }) => status === 'active')
      .map(({ plan_id }: { plan_id: string }) => plan_id)
  expect(await Promise.all(['a', 'b', 'c'].map(active))).toEqual([['pro'], ['pro'], []])
  visitor.expectNoComplaint()
})

it('creates overrides that start on Monday at 9:00 and last 14 days', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk')
  const { page } = visitor

  await page.getByRole('textbox', { name: 'Ids' }).fill('a')
  await page.getByRole('combobox', { name: 'Feature' }).selectOption('seats')
  await page.getByRole('textbox', { name: 'Value' }).fill('5')
  await page.getByRole('button', { name: 'Monday 9:00' }).click()
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await page.getByRole('button', { name: 'Apply to 1 subscriber' }).click()
  await page.getByText('1 of 1 were changed.').waitFor()

  const { overrides } = await given.get('/org/subscribers/a/overrides?include_expired=true')
  const { starts_at: start, expires_at: end } = overrides[0]
  expect([new Date(start).getHours(), new Date(start).getDay()]).toEqual([9, 1])
  expect(Date.parse(end) - Date.parse(start)).toBe(14 * 86_400_000)
  visitor.expectNoComplaint()
})

it('removes the override of a feature from the subscribers that have one', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk')
  const { page } = visitor

  await page.getByRole('textbox', { name: 'Ids' }).fill('a,b')
  await page.getByText('Remove an override').click()
  await page.getByRole('combobox', { name: 'Feature' }).selectOption('seats')
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await page.getByText('The change reaches 1. 1 of them would lose something. 1 has it already.').waitFor()
  await page.getByRole('button', { name: 'Apply to 1 subscriber' }).click()
  await page.getByText('1 of 1 were changed.').waitFor()

  expect(await limitOf(given, 'b')).toEqual([])
  visitor.expectNoComplaint()
})

it('restores scheduled overrides when a change that replaced or removed them is undone', async () => {
  const { caller, given } = await organization()
  const start = '2099-01-01T00:00:00.000Z'
  await given.override('a', 'seats', { kind: 'limit', limit: 20, starts_at: start, note: 'from 2099' })
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk')
  const { page } = visitor
  const undoAndExpectRestored = async () => {
    await page.getByRole('button', { name: 'Apply to 2 subscribers' }).click()
    await page.getByText('2 of 2 were changed.').waitFor()
    await page.getByRole('button', { name: 'Undo for all of them' }).click()
    await page.getByText('2 are back to the previous state.', { exact: true }).waitFor()
    const { overrides } = await given.get('/org/subscribers/a/overrides?include_expired=true')
    expect(overrides).toMatchObject([{ limit: 20, starts_at: start, expires_at: null, note: 'from 2099' }])
    expect(await limitOf(given, 'b')).toMatchObject([{ limit: 99, note: 'before' }])
  }

  await page.getByRole('textbox', { name: 'Ids' }).fill('a,b')
  await page.getByRole('combobox', { name: 'Feature' }).selectOption('seats')
  await page.getByRole('textbox', { name: 'Value' }).fill('5')
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await undoAndExpectRestored()

  await page.getByRole('button', { name: 'Make another change' }).click()
  await page.getByText('Remove an override').click()
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  await undoAndExpectRestored()
  visitor.expectNoComplaint()
})

it('says how many subscribers a stopped change reached, and undoes the change for only these', async () => {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit' })
  const { organizationId } = caller
  const now = new Date()
  await service.database.prisma.subscriber.createMany({
    data: Array.from({ length: 1_001 }, (_, index) => {
      return { organizationId, id: `s${1_000 + index}`, createdAt: now, updatedAt: now }
    }),
  })
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk?q=s')
  const { page } = visitor
  await page.getByRole('combobox', { name: 'Feature' }).selectOption('seats')
  await page.getByRole('textbox', { name: 'Value' }).fill('5')
  await page.getByRole('button', { name: 'Check whom it reaches' }).click()
  const apply = page.getByRole('button', { name: 'Apply to 1,001 subscribers' })
  await apply.waitFor()
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('importSubscribers')) {
      await page.getByRole('button', { name: 'Stop' }).click()
    }
    await route.continue()
  })

  await apply.click()
  await page.getByText('1000 of 1001 were changed.').waitFor()
  await page.unroute('**/graphql')
  await given.override('s2000', 'seats', { kind: 'limit', limit: 7 })
  await page.getByRole('button', { name: 'Undo for all of them' }).click()
  await page.getByText('1000 are back to the previous state.').waitFor()

  expect(await limitOf(given, 's1999')).toEqual([])
  expect(await limitOf(given, 's2000')).toMatchObject([{ limit: 7 }])
  visitor.expectNoComplaint()
})

it('keeps what was typed while the server cannot be reached', async () => {
  const { caller } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/bulk')
  const { page } = visitor
  await page.clock.install()
  const ids = page.getByRole('textbox', { name: 'Ids' })
  await ids.fill('a')
  let failures = 0
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('BulkCatalog')) failures += 1
    await route.abort()
  })

  await returnToTab(page)
  const failuresLater = async () => {
    await page.clock.runFor(1_000)
    return failures
  }
  await expect.poll(failuresLater).toBe(3)
  await page.unroute('**/graphql')
  const read = page.waitForResponse((response) => response.request().postData()?.includes('BulkCatalog') ?? false)
  await returnToTab(page)
  await read

  expect(await ids.inputValue()).toBe('a')
})

it('shows a bulk change, in the newest changes and in the audit log, as one line that expands to its rows', async () => {
  const { caller } = await organization()
  const put = (id: string) => ({ subscriber_id: id, overrides: { seats: { kind: 'limit', limit: 5 } } })
  await importSuccessfully(caller, [put('a'), put('b')], '?with_each=true')
  await importSuccessfully(caller, [put('c')], '?with_each=true')
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const line = page.getByRole('link', { name: /overrode limit seats for 3 subscribers: 5$/ })
  const changed = page.getByRole('region', { name: 'Changed subscribers' }).getByRole('listitem')

  await page.getByRole('region', { name: 'Newest changes' }).getByRole('listitem').nth(7).waitFor()
  expect(
    await page
      .getByRole('region', { name: 'Newest changes' })
      .getByText(/in an import/)
      .count(),
  ).toBe(0)
  await line.click()
  await changed.filter({ hasText: 'overrode limit seats for c: 5, in an import' }).waitFor()
  await page.getByRole('button', { name: 'Show part 1' }).click()
  await changed.nth(2).waitFor()
  await visitor.inspect('audit-entry-import')
  await changed.filter({ hasText: 'seats for a' }).getByRole('link').click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: 'override of seats for a' })
    .or(page.getByRole('dialog').getByRole('link', { name: 'subscriber a', exact: true }))
    .first()
    .waitFor()

  await page.goto(`${base}/audit-log`)
  await line.waitFor()
  expect(await page.getByText(/in an import/).count()).toBe(0)
  await page.goto(`${base}/audit-log?subscriber=a`)
  await page.getByText('overrode limit seats for a: 5, in an import').waitFor()
  visitor.expectNoComplaint()
})

it('shows in the audit log, page by page, the values of each subscriber before and after a bulk change', async () => {
  const { caller } = await organization()
  const ids = Array.from({ length: 60 }, (_, index) => `n${index + 10}`)
  await importSuccessfully(
    caller,
    ids.map((id, index) => ({ subscriber_id: id, overrides: { seats: { kind: 'limit', limit: index } } })),
  )
  await importSuccessfully(
    caller,
    ids.map((id, index) => ({ subscriber_id: id, overrides: { seats: { kind: 'limit', limit: 100 + index } } })),
    '?with_each=true',
  )
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor

  await page
    .getByRole('link', { name: /imported subscribers: 0 created, 60 changed/ })
    .first()
    .click()
  const rows = page.getByRole('region', { name: 'Changed subscribers' }).getByRole('listitem')
  await rows.filter({ hasText: 'raised the override of seats for n69 from 59 to 159, in an import' }).waitFor()
  expect(await rows.count()).toBe(50)
  await page.getByRole('dialog').getByRole('button', { name: 'Show more' }).click()
  await rows.filter({ hasText: 'raised the override of seats for n10 from 0 to 100, in an import' }).waitFor()
  visitor.expectNoComplaint()
})

it('offers bulk changes only to people who may change subscribers', async () => {
  const { caller } = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor

  await page.getByText('Your role, viewer, cannot change subscribers.').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Use the API' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Change many' }).count()).toBe(0)
  await page.goto(`${base}/bulk`)
  await page.getByText('Your role, viewer, cannot change subscribers.').waitFor()
  expect(await page.getByRole('button', { name: 'Check whom it reaches' }).count()).toBe(0)
  visitor.expectNoComplaint()
})
