import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { createFlags } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const count = 2000

/** Creates this many features; returns their keys. */
async function createFeatures(caller: Caller, length: number, toName = (key: string) => key) {
  const keys = Array.from({ length }, (_, index) => `feature-${String(index).padStart(4, '0')}`)
  await createFlags(service, caller, keys, toName)
  return keys
}

it('draws only the visible rows of a long list, and moves through it by keyboard', async () => {
  const caller = await service.organization()
  await createFeatures(caller, count)
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/features')
  const { page } = visitor
  const table = page.getByRole('table', { name: 'Features' })
  const rows = table.getByRole('link')
  await rows.first().waitFor()

  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(count + 1))
  expect(await rows.count()).toBeLessThan(150)
  const first = await rows.first().innerText()

  await rows.first().focus()
  for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator(':focus').innerText()).not.toBe(first)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))

  await expect.poll(() => table.locator('tbody tr[data-index]').last().getAttribute('data-index')).toBe(`${count - 1}`)
  await visitor.inspect('features-long')
  visitor.expectNoComplaint()
})

it('scrolls a long list on a phone without moving its rows, each of which is large enough to touch', async () => {
  const caller = await service.organization()
  await createFeatures(caller, 300, (key) => `Name of ${key}`)
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/settings')
  const { page } = visitor
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${base}/features`)
  const rows = page.getByRole('table', { name: 'Features' }).locator('tbody tr[data-index]')
  await rows.first().waitFor()
  const list = () =>
    rows.evaluateAll((all) =>
      all.map((row) => ({ index: Number(row.dataset.index), ...row.getBoundingClientRect().toJSON() })),
    )

  for (let step = 0; step < 40; step++) {
    const before = (await list()).find(({ top }) => top > 300)
    await page.mouse.wheel(0, 200)
    await expect
      .poll(async () => (await list()).find(({ index }) => index === before?.index)?.top)
      .toBe(before.top - 200)
  }
  const heights = (await list()).map(({ height }) => height)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  visitor.expectNoComplaint()
})

it('prints every feature and plan of the matrix, without the navigation', async () => {
  const caller = await service.organization()
  const keys = await createFeatures(caller, 120)
  const plan = await caller.rest('POST', '/org/plans', { key: 'pro', name: 'Professional' })
  expect(plan.status).toBe(201)
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/plans')
  const { page } = visitor
  const names = page.getByRole('grid').getByRole('rowheader', { name: /^feature-/ })
  await names.first().waitFor()
  expect(await names.count()).toBeLessThan(keys.length)

  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))

  expect(await names.count()).toBe(keys.length)
  // Content that scrolls on the screen is printed in full.
  const box = await page.getByRole('grid').evaluate((grid) => {
    const { clientHeight, scrollHeight } = grid.parentElement as HTMLElement
    return { clientHeight, scrollHeight }
  })
  expect(box.clientHeight).toBe(box.scrollHeight)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect.poll(() => names.count()).toBeLessThan(keys.length)
})
