import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { toLines } from '../support/import.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

async function organization() {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit' })
  await given.plan('pro')
  await given.subscriber('same', { name: 'Same' })
  return { caller, given }
}

it('checks a file before it imports it, and offers the refused lines for download', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers')
  const { page, inspect } = visitor
  const text = toLines([
    { subscriber_id: 'new', name: 'New', plan_id: 'pro', overrides: { seats: { kind: 'limit', limit: 7 } } },
    { subscriber_id: 'same', name: 'Same' },
    { subscriber_id: 'wrong', plan_id: 'nope' },
    { subscriber_id: 'mistyped', overrides: { seats: { kind: 'limit', limit: 'seven' } } },
    'no JSON',
  ])

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await page.getByRole('heading', { name: 'Import subscribers' }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  const button = page.getByRole('button', { name: 'Choose a file' })
  await button.focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({
    name: 'customers.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(text),
  })
  await page.getByText('1 to be created, 0 to be changed, 1 unchanged, 3 refused').waitFor()
  await page.getByRole('row', { name: /^3 wrong There is no plan “nope” here/ }).waitFor()
  await page.getByRole('row', { name: /^4 .*limit must be an integer from 0 to / }).waitFor()
  await inspect('import-checked')
  expect((await caller.rest('GET', '/org/subscribers/new')).status).toBe(404)

  await page.getByRole('button', { name: 'Import 1 of 5 lines' }).click()
  await page.getByText('1 created, 0 changed, 1 unchanged, 3 refused').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download them' }).click()
  const refused = await readFile(await (await download).path(), 'utf8')

  const [wrong, mistyped, ...others] = refused.trimEnd().split('\n')
  expect(JSON.parse(wrong ?? '')).toEqual({
    subscriber_id: 'wrong',
    plan_id: 'nope',
    error: expect.stringMatching(/^There is no plan "nope" here/),
  })
  expect(JSON.parse(mistyped ?? '')).toMatchObject({ subscriber_id: 'mistyped', error: expect.any(String) })
  expect(others).toEqual(['no JSON'])
  expect(await given.get('/org/subscribers/new/overrides')).toMatchObject({ overrides: [{ limit: 7 }] })
  await inspect('import-done')
  visitor.expectNoComplaint()
})

it('imports a CSV file of another system after the person has assigned its columns', async () => {
  const { caller, given } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/import')
  const { page, inspect } = visitor
  const csv = [
    'Customer No;Company;Tier;Seats;Region',
    'c1;"Müller; Söhne";pro;7;EU',
    'c2;Two;pro;unlimited;EU',
    'c3;Three;nope;;US',
    'c4;Four;;many;US',
  ]

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(`${csv.join('\r\n')}\r\n`) })
  const row = (column: string) => page.getByRole('row', { name: new RegExp(`^${column} `) })
  await row('Company').getByText('Müller; Söhne').waitFor()
  const chosen = (column: string) => row(column).getByRole('combobox').inputValue()
  expect(await Promise.all(['Customer No', 'Company', 'Tier', 'Seats', 'Region'].map(chosen))).toEqual([
    'subscriber_id',
    'name',
    'plan_id',
    'overrides.seats',
    '',
  ])
  await inspect('import-columns')
  await row('Customer No').getByRole('combobox').selectOption('')
  await page.getByText('Choose the column with the subscribers’ ids.').waitFor()
  expect(await page.getByRole('button', { name: 'Check 4 rows' }).isDisabled()).toBe(true)
  await row('Customer No').getByRole('combobox').selectOption({ label: 'Id' })
  await page.getByRole('button', { name: 'Check 4 rows' }).click()
  await page.getByText('2 to be created, 0 to be changed, 0 unchanged, 2 refused').waitFor()
  await page.getByRole('row', { name: /^4 c3 There is no plan “nope” here/ }).waitFor()
  await page.getByRole('row', { name: /^5 .*Seats: must be a whole number from 0, or unlimited\./ }).waitFor()

  await page.getByRole('button', { name: 'Import 2 of 4 lines' }).click()
  await page.getByText('2 created, 0 changed, 0 unchanged, 2 refused').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download them' }).click()
  const refused = await readFile(await (await download).path(), 'utf8')

  expect(refused.split('\n')).toEqual([
    'Customer No;Company;Tier;Seats;Region;error',
    expect.stringMatching(/^c3;Three;nope;;US;/),
    expect.stringMatching(/^c4;Four;;many;US;/),
    '',
  ])
  expect(await given.get('/org/subscribers/c1')).toMatchObject({ name: 'Müller; Söhne' })
  expect(await given.get('/org/subscribers/c2/overrides')).toMatchObject({ overrides: [{ limit: null }] })
  visitor.expectNoComplaint()
})

it('accepts a file that the service exported, and reports its rows as unchanged', async () => {
  const { caller, given } = await organization()
  await given.override('same', 'seats', { kind: 'limit', limit: 3, expires_at: '2099-01-01T00:00:00Z', note: 'trial' })
  const headers = { accept: 'text/csv', 'x-api-key': caller.key }
  const exported = await (await fetch(`${service.url}/org/subscribers`, { headers })).text()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/import')
  const { page } = visitor

  const input = page.locator('input[type=file]')
  await input.setInputFiles({ name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(exported) })
  await page.getByRole('button', { name: 'Check 1 row' }).waitFor()
  // Otherwise the browser would ignore the same file when it is chosen again.
  expect(await input.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Check 1 row' }).click()

  await page.getByText('0 to be created, 0 to be changed, 1 unchanged, 0 refused').waitFor()
  visitor.expectNoComplaint()
})

it('refuses a file that is neither CSV nor NDJSON, and says what it accepts', async () => {
  const { caller } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/import')
  const { page } = visitor

  const buffer = Buffer.from('[{"subscriber_id":"a"}]')
  await page.locator('input[type=file]').setInputFiles({ name: 'customers.json', mimeType: 'application/json', buffer })

  await page.getByRole('alert').getByText('This page takes CSV, or NDJSON: a JSON object on each line.').waitFor()
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0)
  visitor.expectNoComplaint()
})

it('offers imports only to people who may change subscribers', async () => {
  const { caller } = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor

  await page.getByText('Your role, viewer, cannot change subscribers.').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Use the API' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Import' }).count()).toBe(0)
  await page.goto(`${base}/import`)
  await page.getByText('Your role, viewer, cannot import subscribers.').waitFor()
  expect(await page.getByRole('button', { name: 'Choose a file' }).count()).toBe(0)
  visitor.expectNoComplaint()
})
