import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'
import { measureLoad, sumOf } from './slow-connection.ts'
import { slowConnectionPages } from './slow-connection-pages.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** Opens a page in a new browser, which has a session in the organization if `isSignedIn`. */
async function openAs(isSignedIn: boolean, caller: Caller): Promise<Page> {
  if (!isSignedIn) return (await browser.open(service.url)).page
  const { page } = (await enter({ service, browser }, caller, 'admin', '/settings')).visitor
  await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
  return page
}

/** How long after a read the page sends it again, at the earliest. A slow machine may load the page for longer. */
const leastPollSeconds = 10

const rounds = Number(process.env.SLOW_CONNECTION ?? 0)

it.each(slowConnectionPages)(
  'loads few files, and most of them at the same time: $name',
  async ({ name, path, isSignedIn, usable }) => {
    const caller = await service.organization()
    await fillCatalog(caller)
    await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
    const page = await openAs(isSignedIn, caller)
    // Some reads contain the current minute, so the page could not use an early answer to them that was requested in the
    // previous minute.
    await page.clock.setFixedTime(new Date())

    const load = await measureLoad(page, service.url + path(caller.organizationId), usable)
    const { reads, ...figures } = load

    console.info(name, figures)
    // The scripts are the early one, two for the start, the frame, the code that pages share, the page, and perhaps the
    // histories and the search.
    expect(load.scripts).toBeLessThanOrEqual(8)
    expect(load.requests - reads.length).toBeLessThanOrEqual(11)
    expect(load.bytes).toBeLessThan(295_000)
    // The longest chain is the document, a script, and a request that the script sends while other files load.
    expect(load.depth).toBeLessThanOrEqual(3)
    expect(sumOf(load.shifts), JSON.stringify(load.shifts)).toBeLessThan(0.1)

    // The page uses each answer that was requested early, and does not request it again before it is due.
    const isRepeated = ({ body, sentAt }: (typeof reads)[number], index: number) =>
      reads.slice(0, index).some((earlier) => earlier.body === body && sentAt - earlier.sentAt < leastPollSeconds)
    expect(reads.filter(isRepeated)).toEqual([])
    expect(await page.evaluate('[...(earlyAnswers?.keys() ?? [])]')).toEqual([])
  },
)

// Measures the times of five rounds for docs/performance.md. Run it on a quiet machine:
// SLOW_CONNECTION=5 npx vitest run test/console/slow-connection.test.ts
it.runIf(rounds > 0).each(slowConnectionPages)('is usable in time on a slow connection: $name', async (shown) => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await openAs(shown.isSignedIn, caller)
    const { ms } = await measureLoad(page, service.url + shown.path(caller.organizationId), shown.usable, {
      slow: true,
      slowProcessor: true,
    })
    times.push(Math.round(ms))
    await page.close()
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number

  console.info(shown.name, median, times)
  if (process.env.STRICT !== undefined) expect(median).toBeLessThan(shown.seconds * 1000)
})
