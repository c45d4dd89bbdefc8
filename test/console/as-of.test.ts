import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const caller = await service.organization()
await fillCatalog(caller)

/** Types a local time into "As of", and returns the time that is sent, and what the page says about it. */
async function typeTime(timezoneId: string, locale: string, keys: readonly string[]) {
  const inZone = { open: (origin: string) => browser.open(origin, { timezoneId, locale }) }
  const { visitor } = await enter({ service, browser: inZone }, caller, 'viewer', '/subscribers/acme')
  const { page } = visitor
  const sent: string[] = []
  page.on('request', (request) => {
    const { operationName, variables } = request.postDataJSON() ?? {}
    if (operationName === 'Explanation' && variables.at) sent.push(variables.at)
  })
  const field = page.getByLabel('As of')
  await field.click({ position: { x: 20, y: 12 } })
  for (const key of keys) await page.keyboard.press(key)
  const notice = page.getByRole('status').filter({ hasText: /^This is the/ })
  await notice.filter({ hasText: '2096' }).waitFor()
  await expect.poll(() => field.inputValue()).toMatch(/^2096-/)
  visitor.expectNoComplaint()
  return { sent: sent.at(-1), shown: await field.inputValue(), said: await notice.innerText() }
}

/** The keys of a time in March or October 2096 at half past two in the morning. */
const keysOf = (day: string, month: string) => [...month, ...day, ...'2096', ...'0230', 'a']

it.each([
  ['Asia/Kathmandu', '25', '03', '2096-03-24T20:45:00.000Z', '2096-03-25T02:30'],
  ['Asia/Kolkata', '25', '03', '2096-03-24T21:00:00.000Z', '2096-03-25T02:30'],
  // The clocks skip this time: the field and the notice show the time that is sent.
  ['Europe/Berlin', '25', '03', '2096-03-25T01:30:00.000Z', '2096-03-25T03:30'],
  // The clocks show this time twice; the first one is sent.
  ['Europe/Berlin', '28', '10', '2096-10-28T00:30:00.000Z', '2096-10-28T02:30'],
])('shows the time that it sends, in %s on %s/%s', async (zone, day, month, utc, local) => {
  const { sent, shown, said } = await typeTime(zone, 'en-US', keysOf(day, month))

  expect({ sent, shown }).toEqual({ sent: utc, shown: local })
  // The zone's name follows, which Chromium spells in its own way, such as Asia/Calcutta.
  expect(said).toContain(`${local.slice(11)}:00 (`)
  expect(said).toContain(`${utc.slice(0, 19).replace('T', ' ')} UTC`)
})
