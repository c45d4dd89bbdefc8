import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'
import { measureLoad } from './slow-line.ts'
import { slowLinePages } from './slow-line-pages.ts'

const service = await startService()
const browser = await startBrowser()

it.each(slowLinePages)('loads few files, side by side: $name', async ({ name, path, isSignedIn, usable }) => {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
  const { page } = isSignedIn
    ? (await enter({ service, browser }, caller, 'admin', '/settings')).visitor
    : await browser.open(service.url)
  // The session in the organization is open from then on.
  if (isSignedIn) await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()

  const load = await measureLoad(page, service.url + path(caller.organizationId), usable)
  const { reads, ...figures } = load

  console.info(name, figures, reads.map((read) => JSON.parse(read).operationName))
  expect(load.scripts).toBeLessThanOrEqual(6)
  expect(load.requests - reads.length).toBeLessThanOrEqual(10)
  expect(load.bytes).toBeLessThan(320_000)
  // The document, then a script that asks beside the others.
  expect(load.depth).toBeLessThanOrEqual(3)
  expect(load.shift).toBeLessThan(0.1)
  // An answer that was asked for early is used, and not asked for again.
  expect(reads.filter((read, index) => reads.indexOf(read) !== index)).toEqual([])
  expect(await page.evaluate(() => [...(globalThis.earlyAnswers?.keys() ?? [])])).toEqual([])
})
