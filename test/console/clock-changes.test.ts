import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('says which moment an expiry or a start means if the clocks skip the typed time, or show it twice', async () => {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  const inBerlin = { open: (origin: string) => browser.open(origin, { timezoneId: 'Europe/Berlin' }) }
  const path = '/subscribers/acme?feature=sso'
  const { visitor } = await enter({ service, browser: inBerlin }, caller, 'support', path)
  const { page } = visitor

  await page.getByRole('group', { name: 'Expires: presets' }).getByRole('button', { name: '14 days' }).click()
  const end = page.getByLabel('Expires: date and time')
  await end.fill('2096-03-25T02:30')
  await page.getByText('Clocks skip 02:30 that day, so 03:30 will be stored.').waitFor()
  await page.getByText(/^Expires 25 March 2096, 03:30 \(Berlin\), 01:30 UTC/).waitFor()
  expect(await end.inputValue()).toBe('2096-03-25T02:30')
  await visitor.inspect('expiry-skipped')
  await end.fill('2096-10-28T02:30')
  await page.getByText('02:30 comes twice that day; the first will be stored.').waitFor()
  expect(
    await end.evaluate((input) => document.getElementById(`${input.getAttribute('aria-describedby')}`)?.innerText),
  ).toMatch(/^Expires 28 October 2096, 02:30 \(Berlin\), 00:30 UTC.*the first will be stored\.$/s)
  await visitor.inspect('expiry-twice')
  for (const other of ['2096-10-28T01:59', '2096-10-28T03:00', '2096-03-25T03:00']) {
    await end.fill(other)
    await page.getByText(`, ${other.slice(11)} (Berlin)`).waitFor()
    expect(await page.getByText(/will be stored/).count()).toBe(0)
  }

  await page.getByRole('group', { name: 'Starts: presets' }).getByRole('button', { name: 'Tomorrow 9:00' }).click()
  await page.getByLabel('Starts: date and time').fill('2095-03-27T02:00')
  await page.getByText('Clocks skip 02:00 that day, so 03:00 will be stored.').waitFor()
  visitor.expectNoComplaint()
})
