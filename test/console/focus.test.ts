import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** The element with the focus, in words: its role or tag, and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return `${at?.tagName.toLowerCase()} ${at?.getAttribute('aria-label') ?? (at as HTMLElement | null)?.innerText ?? ''}`.trim()
  })

async function enterWithCatalog(role: string, path: string) {
  const caller = await service.organization()
  await fillCatalog(caller)
  return { ...(await enter({ service, browser }, caller, role, path)), caller }
}

it('moves the focus to the title of the page after each kind of navigation', async () => {
  const { visitor } = await enterWithCatalog('admin', '')
  const { page } = visitor
  const title = (name: string) => expect.poll(() => focused(page)).toBe(`h1 ${name}`)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await page.getByRole('navigation').getByRole('link', { name: 'Features' }).click()
  await title('Features')
  await page.getByRole('link', { name: 'Seats' }).click()
  await title('Seats')
  await page.getByRole('main').getByRole('link', { name: 'Features' }).click()
  await title('Features')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('acme')
  await page.getByRole('option', { name: /acme/ }).first().waitFor()
  await page.keyboard.press('Enter')
  await title('acme')
  await page.goBack()
  await title('Features')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Plans' }).click()
  await title('Plans')
  visitor.expectNoComplaint()
})

it('focuses the first field of a drawer, submits the form with Ctrl+Enter, and returns the focus to the button', async () => {
  const { visitor } = await enterWithCatalog('developer', '/features/seats')
  const { page } = visitor
  await page.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)

  await name.fill('Places')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Places' }).waitFor()

  await expect.poll(() => focused(page)).toBe('button Edit')
  visitor.expectNoComplaint()
})

it.each(['Single sign-on', 'Seats', 'Data region', 'Theme'])(
  'focuses the value when %s is overridden, and submits the override by Ctrl+Enter from anywhere',
  async (feature) => {
    const { visitor, caller } = await enterWithCatalog('support', '/subscribers/acme')
    for (const key of ['seats', 'region']) await caller.rest('DELETE', `/org/subscribers/acme/overrides/${key}`)
    const { page } = visitor
    await page.reload()
    await page.getByRole('button', { name: `Override ${feature}` }).focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    const value = drawer.locator('form').locator('input, textarea, select').first()
    await expect.poll(() => value.evaluate((field) => field === document.activeElement)).toBe(true)

    await drawer.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Control+Enter')

    await page.getByRole('button', { name: `More for ${feature}`, includeHidden: true }).waitFor({ state: 'attached' })
    visitor.expectNoComplaint()
  },
)

it('keeps the focus in the same row after an override is removed, and after Undo', async () => {
  const { visitor } = await enterWithCatalog('admin', '/subscribers/acme')
  const { page } = visitor
  const more = page.getByRole('button', { name: 'More for Seats' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The override of Seats was removed.').waitFor()
  await expect.poll(() => focused(page)).toBe('button Override Seats')

  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Undone.').waitFor()
  await more.waitFor()
  await expect.poll(() => focused(page)).toBe('button More for Seats')
})

it('reaches Undo by Tab from a drawer, keeps Undo visible while it is focused, and keeps the drawer open', async () => {
  const { visitor } = await enterWithCatalog('developer', '/features/seats?edit=1')
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await page.clock.install()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Places')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Places' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  const undo = page.getByRole('button', { name: 'Undo' })

  await page.clock.fastForward(29_000)
  await dialog.getByRole('button').first().focus()
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => focused(page)).toBe('button Dismiss')
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => focused(page)).toBe('button Undo')
  await page.clock.fastForward(600_000)
  expect(await undo.count()).toBe(1)
  await page.keyboard.press('Enter')

  await page.getByText('Undone.').waitFor()
  expect(await dialog.isVisible()).toBe(true)
  await expect.poll(() => dialog.evaluate((open) => open.contains(document.activeElement))).toBe(true)
})

it('keeps the focus on "Show more", and moves it to the first new row when there are no more rows', async () => {
  const caller = await service.organization()
  const now = new Date()
  const stamps = { organizationId: caller.organizationId, createdAt: now, updatedAt: now }
  await service.database.prisma.subscriber.createMany({
    data: Array.from({ length: 120 }, (_, index) => ({ ...stamps, id: `s-${String(index).padStart(3, '0')}` })),
  })
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const { page } = visitor
  const rows = page.getByRole('table', { name: 'Subscribers' }).getByRole('link')
  const more = page.getByRole('button', { name: 'Show more' })

  await more.focus()
  const last = await rows.last().innerText()
  while (await more.isVisible()) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'))
    await page.keyboard.press('Enter')
    await answered
    await expect.poll(() => page.locator('button[data-loading]').count()).toBe(0)
    await expect.poll(() => focused(page)).toMatch(/^(button Show more|a s-\d+)$/)
  }

  expect(await focused(page)).toBe(`a s-${String(Number(last.slice(2)) + 1).padStart(3, '0')}`)
})

it('returns the focus to the same field after the person has signed in again', async () => {
  const caller = await service.organization()
  const { visitor, person } = await enter({ service, browser }, caller, 'developer', '/features?create=1')
  const { page } = visitor
  await page.getByRole('dialog').getByLabel('Name').fill('Single sign-on')
  await page.context().clearCookies()
  await page.getByRole('dialog').getByLabel('Key').fill('sso two')
  await page.getByRole('dialog').getByLabel('Key').press('Control+Enter')
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await visitor.signIn(person)

  // The key is refused while the person is still typing.
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-invalid') ?? document.activeElement?.tagName),
    )
    .toBe('true')
})

it('moves the focus to the first refused field of a form, and describes the field to screen readers', async () => {
  const { visitor, base } = await enterWithCatalog('developer', '/features?create=1')
  const { page } = visitor
  const description = () =>
    page.evaluate(() => {
      const ids = document.activeElement?.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map((id) => document.getElementById(id)?.innerText).join(' ')
    })
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Name').fill('Single sign-on')
  await dialog.getByLabel('Key').fill('sso')
  await dialog.getByRole('button', { name: 'Add feature' }).click()
  await expect.poll(() => page.locator(':focus').inputValue()).toBe('sso')
  await expect.poll(description).toMatch(/exists/)

  await page.goto(`${base}/features/region?edit=1`)
  await dialog.getByLabel('New option').fill('eu-west')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => focused(page)).toBe('input New option')
  await expect.poll(description).toMatch(/different options/)

  await page.goto(`${base}/subscribers/acme?feature=seats`)
  await dialog.getByRole('button', { name: '7 days' }).click()
  await dialog.getByLabel('Expires: date and time').focus()
  expect(await description()).toMatch(/^Expires .*UTC, in 7 days$/)
  visitor.expectNoComplaint()
})

it('shows the password with a button that the keyboard reaches', async () => {
  const { page } = visit(await browser.open(service.url))
  await page.goto(`${service.url}/sign-in`)
  await page.getByRole('textbox', { name: 'Password' }).focus()
  await page.keyboard.type('secret')
  await page.keyboard.press('Tab')
  const eye = page.getByRole('button', { name: 'Show the password' })
  await expect.poll(() => eye.getAttribute('aria-pressed')).toBe('false')
  await page.keyboard.press('Enter')

  await expect.poll(() => eye.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).getAttribute('type')).toBe('text')
})

it('shows the exact time of a row on hover, and opens the row on a click on the time', async () => {
  const { visitor } = await enterWithCatalog('viewer', '/subscribers')
  const { page } = visitor
  const time = page.getByRole('row', { name: /acme/ }).locator('time')
  await time.hover()

  await page
    .getByRole('tooltip', { name: /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d \(.+\), \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/ })
    .waitFor()
  await time.click()
  await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor()
})
