import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

const style = (element: Locator, name: 'outlineStyle' | 'backgroundColor') =>
  element.evaluate((node, property) => getComputedStyle(node)[property], name)

it('shows the current page, the current tab and the bars with forced colours', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'sso' })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  await page.emulateMedia({ forcedColors: 'active' })
  const bar = page.getByRole('slider', { name: /^Evals in / }).locator('[data-drawn]:visible')
  await bar.waitFor()

  const ground = await style(page.locator('body'), 'backgroundColor')
  expect(await style(bar, 'backgroundColor')).not.toBe(ground)
  const rail = page.getByRole('navigation', { name: 'Pages' })
  expect(await style(rail.getByRole('link', { name: 'Overview' }), 'outlineStyle')).toBe('solid')
  expect(await style(rail.getByRole('link', { name: 'Plans' }), 'outlineStyle')).toBe('none')
  await visitor.inspect('overview-forced-colors')

  await rail.getByRole('link', { name: 'Features' }).click()
  const tab = page.getByRole('tab', { selected: true })
  await tab.waitFor()
  expect(await style(tab, 'outlineStyle')).toBe('solid')
  expect(await style(page.getByRole('tab', { selected: false }), 'outlineStyle')).toBe('none')
})

it('shows whether a switch is on with forced colours', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/subscribers/acme?feature=sso')
  const { page } = visitor
  await page.emulateMedia({ forcedColors: 'active' })
  const field = page.getByRole('dialog').getByRole('switch')
  await field.waitFor()
  const track = page.getByRole('dialog').locator('.mantine-Switch-track')

  const before = await style(track, 'backgroundColor')
  await field.press('Space')
  await expect.poll(() => style(track, 'backgroundColor')).not.toBe(before)
  await visitor.inspect('switch-forced-colors')
})
