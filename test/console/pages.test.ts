import { beforeAll, describe, expect, it } from 'vitest'
import { shortenMiddle } from '../../src/console/components/text/shorten.ts'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { createFlags, fillCatalog, longId } from './catalog.ts'
import { enter, returnToTab } from './enter.ts'
import { readShifts, sumOf } from './slow-connection.ts'
import type { Visitor } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** Opens this page of a filled organization as a member with this role. */
async function enterWithCatalog(
  role: string,
  path: string,
): Promise<{ visitor: Visitor; caller: Caller; base: string }> {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
  await caller.rest('POST', '/org/webhook/test')
  return { ...(await enter({ service, browser }, caller, role, path)), caller }
}

describe('an admin', () => {
  let visitor: Visitor
  let base: string
  beforeAll(async () => {
    const entered = await enterWithCatalog('admin', '')
    visitor = entered.visitor
    base = entered.base
  })

  // The tests of plans, the webhook, the audit log and the team inspect those pages.
  it.each([
    ['overview', '', 'Overview'],
    ['features-filled', '/features', 'Features'],
    ['feature-api', '/features/seats?api=1', 'Seats'],
    ['feature-edit', '/features/region?edit=1', 'Data region'],
    ['subscribers', '/subscribers', 'Subscribers'],
    ['subscriber', '/subscribers/acme', 'acme'],
    ['subscriber-long', `/subscribers/${longId}`, shortenMiddle(longId, 80)],
    ['settings', '/settings', 'Organization'],
  ])('sees no layout shifts after the skeleton of the page %s', async (name, path, title) => {
    const { page, inspect } = visitor

    await page.goto(base + path)
    await page.getByRole('heading', { level: 1, name: title, exact: true, includeHidden: true }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })

    // There is almost no layout shift if the skeleton has the shape of the page.
    const shifts = await readShifts(page)
    expect(sumOf(shifts), JSON.stringify(shifts)).toBeLessThan(0.1)
    await inspect(name)
    visitor.expectNoComplaint()
  })

  it('sees their activity', async () => {
    const { page, inspect } = visitor

    await page.goto(`${service.url}/account`)
    await page.getByText('Your activity').waitFor()

    await inspect('account')
    visitor.expectNoComplaint()
  })
})

it('offers viewers no changes to features, and says why', async () => {
  const { visitor } = await enterWithCatalog('viewer', '/features')
  const { page } = visitor

  await page.getByText('Your role, viewer, cannot change features.').waitFor()
  expect(await page.getByRole('button', { name: 'Add feature' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Seats' }).click()
  await page.getByRole('heading', { name: 'Seats' }).waitFor()
  expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
  visitor.expectNoComplaint()
})

it('restores a filter from the address, moves through rows by arrow keys, and opens a row by Enter', async () => {
  const { visitor } = await enterWithCatalog('viewer', '/features')
  const { page } = visitor
  const rows = page.getByRole('table', { name: 'Features' }).getByRole('link')
  const filter = page.getByLabel('Filter by key or name')
  await rows.first().waitFor()

  await filter.fill('seat')
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => filter.inputValue()).toBe('seat')

  await filter.press('Home')
  await filter.pressSequentially('da ')
  await expect.poll(() => filter.inputValue()).toBe('da seat')
  await filter.fill('')
  await expect.poll(() => rows.count()).toBeGreaterThan(2)
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const name = await page.locator(':focus').innerText()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

it('shows what prevents the deletion of a feature, and deletes a feature that nothing grants', async () => {
  const { visitor } = await enterWithCatalog('developer', '/features/sso')
  const { page } = visitor

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: 'pro' }).waitFor()
  await dialog.getByRole('button', { name: 'Delete feature' }).click()
  await dialog.getByText('CONFLICT').waitFor()
  await visitor.inspect('feature-delete-refused')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('link', { name: 'Features' }).first().click()
  await page.getByRole('link', { name: '🚀', exact: true }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete feature' }).click()
  await page.getByText('Feature x was deleted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('table', { name: 'Features' }).getByRole('link', { name: '🚀', exact: true }).waitFor()
  visitor.expectNoComplaint()
})

it('says that an object is not there any more once a colleague has deleted it', async () => {
  const { caller, visitor } = await enterWithCatalog('developer', '/features/x?edit=1')
  const { page } = visitor
  await page.clock.install()
  await page.getByRole('dialog', { name: 'Edit feature' }).getByLabel('Name').waitFor()
  expect((await caller.rest('DELETE', '/org/features/x')).status).toBe(204)

  await returnToTab(page)

  await page.getByRole('alert').getByText('NOT_FOUND').waitFor()
  await page.getByRole('link', { name: 'Features' }).first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('lets the last row of a list be scrolled to a position above a toast', async () => {
  const caller = await service.organization()
  const keys = Array.from({ length: 40 }, (_, index) => `f${10 + index}`)
  await createFlags(service, caller, keys)
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/f10')
  const { page } = visitor
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete feature' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Feature f10 was deleted.' })
  await toast.waitFor()
  const last = page.getByRole('row').last()

  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await last.waitFor()
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        const [row, over] = [await last.boundingBox(), await toast.boundingBox()]
        return row && over && row.y + row.height <= over.y
      })
      .toBe(true)
  }
})

it('renames the organization, and undoes the renaming', async () => {
  const { visitor, caller } = await enterWithCatalog('admin', '/settings')
  const { page } = visitor
  const stored = async () => (await caller.rest('GET', '/org')).body.name

  await page.getByRole('textbox', { name: 'Name' }).fill('Initech')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('The organization was renamed.').waitFor()
  expect(await stored()).toBe('Initech')
  await page.getByRole('button', { name: /^Initech/ }).click()
  await page.getByRole('menuitem', { name: 'Initech' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await stored()).toBe('Acme')
})
