import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { toLines } from '../support/import.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter } from './enter.ts'

const service = await sharedService()
const browser = await startBrowser()

async function organization() {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit' })
  await given.plan('pro')
  await given.subscriber('same', { name: 'Same' })
  return { caller, given }
}

it('tries out a file, imports it, and offers the refused lines for download', async () => {
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

  await page.getByRole('link', { name: 'Import' }).click()
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

  expect(
    refused
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).line),
  ).toEqual([3, 4, 5])
  expect(await given.get('/org/subscribers/new/overrides')).toMatchObject({ overrides: [{ limit: 7 }] })
  await inspect('import-done')
  visitor.expectNoComplaint()
})

it('says what a file is that is not NDJSON', async () => {
  const { caller } = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/import')
  const { page } = visitor

  const buffer = Buffer.from('subscriber_id,plan_id\na,pro\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })

  await page
    .getByRole('alert')
    .getByText('This is a CSV file. This page takes NDJSON: a JSON object on each line.')
    .waitFor()
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0)
  visitor.expectNoComplaint()
})

it('is offered only to people who may write', async () => {
  const { caller } = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor

  await page.getByText('Your role, viewer, cannot change subscribers.').waitFor()
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0)
  await page.goto(`${base}/import`)
  await page.getByText('Your role, viewer, cannot import subscribers.').waitFor()
  expect(await page.getByRole('button', { name: 'Choose a file' }).count()).toBe(0)
  visitor.expectNoComplaint()
})
