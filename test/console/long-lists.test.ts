import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { enter } from './enter.ts'

const service = await startService()
const browser = await startBrowser()
const count = 2000

it('draws only the visible rows of a long list, and moves through it by keyboard', { timeout: 240_000 }, async () => {
  const caller = await service.organization()
  const { organizationId } = caller
  const now = new Date()
  await service.database.prisma.feature.createMany({
    data: Array.from({ length: count }, (_, index) => {
      const key = `feature-${String(index).padStart(4, '0')}`
      return { organizationId, key, name: key, description: '', kind: 'flag', createdAt: now, updatedAt: now }
    }),
  })
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/features')
  const { page } = visitor
  const table = page.getByRole('table', { name: 'Features' })
  const rows = table.getByRole('link')
  await rows.first().waitFor()

  expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1))
  expect(await rows.count()).toBeLessThan(150)
  const first = await rows.first().innerText()

  await rows.first().focus()
  for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowDown')
  expect(await page.locator(':focus').innerText()).not.toBe(first)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))

  await expect.poll(() => table.locator('tbody tr[data-index]').last().getAttribute('data-index')).toBe(`${count - 1}`)
  await visitor.inspect('features-long')
  visitor.expectNoComplaint()
})
