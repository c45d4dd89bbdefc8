import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hasWords } from '../../src/console/frame/search/has-words.ts'
import { findTitles } from '../../src/console/frame/search/titles.ts'
import { toSearchQuery } from '../../src/console/frame/search/to-search-query.ts'
import { startBrowser } from '../support/browser.ts'
import { addMember, trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { countActions } from './actions.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

async function enterWithCatalog(role: string, path = '') {
  const caller = await service.organization()
  await fillCatalog(caller)
  return { ...(await enter({ service, browser }, caller, role, path)), caller }
}

function searchPartsOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Search' })
  return { dialog, field: dialog.getByRole('combobox'), options: dialog.getByRole('option') }
}

/** Pastes as a person does: the browser's own event, with the text on the clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search' }).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

it('opens the first search result by keyboard alone, even if Enter is pressed before the answer arrives', async () => {
  const { visitor } = await enterWithCatalog('support')
  const { page } = visitor
  const { dialog, field, options } = searchPartsOf(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  const actions = countActions(page)
  await actions.press('Control+k')
  await field.waitFor()
  await actions.type('glob')
  await actions.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'globex' }).waitFor()
  expect(actions.count()).toBe(3)

  // On other pages, the search lists the object that was opened last first, and the arrow keys continue from it.
  await page.keyboard.press('/')
  await page.keyboard.type('over')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('/')
  await options.first().getByText('globex').waitFor()
  await visitor.inspect('search-empty')
  await page.keyboard.press('ArrowDown')
  const second = options.nth(1)
  await expect.poll(() => second.getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'))

  await page.keyboard.type('sea')
  await options.filter({ hasText: 'Seats' }).waitFor()
  await field.fill('no such thing')
  await dialog.getByText('Nothing found. Type the start or the end of an id').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  visitor.expectNoComplaint()
})

it('returns the focus to the same field when the search is closed, and leaves a drawer below it open', async () => {
  const { visitor } = await enterWithCatalog('developer', '/features?create=1')
  const { page } = visitor
  const { dialog } = searchPartsOf(page)
  const drawer = page.getByRole('dialog', { name: 'Add feature' })
  const name = drawer.getByLabel('Name')
  await name.fill('a/b')
  await expect.poll(() => name.inputValue()).toBe('a/b')

  await page.keyboard.press('Control+k')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  expect(await drawer.isVisible()).toBe(true)
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
})

it('finds the objects whose ids a pasted ticket contains, and the audit entry of a pasted request id', async () => {
  const { visitor, caller } = await enterWithCatalog('admin')
  const { page } = visitor
  const { options, dialog } = searchPartsOf(page)
  const { headers } = await (caller as Caller).rest('PATCH', '/org/plans/pro', { name: 'Professional' })
  const requestId = headers.get('x-request-id') as string
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.keyboard.press('Control+k')
  await paste(page, 'Hello,\nour customers (acme) and "globex" cannot export.\n\nThanks')
  await options.filter({ hasText: /^globex.*subscriber$/ }).waitFor()
  await options.filter({ hasText: /^acme.*subscriber$/ }).waitFor()
  await options.filter({ hasText: /export.*feature$/ }).waitFor()
  await visitor.inspect('search-ticket')

  await dialog.getByRole('combobox').fill(requestId)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/audit-log\?.*entry=/)
})

it('offers only actions that the role allows', async () => {
  const { visitor } = await enterWithCatalog('viewer')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)

  await page.getByRole('button', { name: 'Search' }).click()
  await options.filter({ hasText: 'Plans' }).waitFor()
  expect(await options.filter({ hasText: /Add|Invite|Audit log|Webhook/ }).count()).toBe(0)
  await field.fill('plan')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
})

it('finds objects by ids and names in a pasted line, in upper or lower case, and by the end of an id', async () => {
  const { visitor } = await enterWithCatalog('support')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('level=warn customer="GLOBEX" msg="Single Sign-On refused"')
  await options.filter({ hasText: /^globex.*subscriber$/ }).waitFor()
  await options.filter({ hasText: /^Single sign-on.*feature$/ }).waitFor()
  await field.fill('bex')
  await options.filter({ hasText: 'globex' }).waitFor()
})

it('finds pages and actions by the words that people use', async () => {
  const { visitor } = await enterWithCatalog('admin')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  for (const [text, expected] of [
    ['new plan', 'Add plan'],
    ['create a feature', 'Add feature'],
    ['add user', 'Invite a person'],
    ['new customer', 'Add subscriber'],
    ['new api key', 'Add service account'],
    ['upload csv', 'Import subscribers'],
    ['bulk', 'Change many subscribers'],
    ['stop webhooks', 'Pause deliveries'],
    ['resume', 'Resume deliveries'],
    ['customers', 'Subscribers'],
    ['pricing', 'Plans'],
    ['plan', 'Plans'],
    ['history', 'Audit log'],
    ['quota', 'Overview'],
    ['password', 'Account'],
    ['permissions', 'Roles: who may do what'],
  ] as const) {
    await field.fill(text)
    await expect.poll(() => options.first().innerText(), { message: text }).toMatch(expected)
  }
})

it('finds the same objects as the filters of the lists do', async () => {
  const { visitor, base, caller } = await enterWithCatalog('developer')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  await caller.rest('PATCH', '/org/subscribers/globex', { name: 'Globex Export Company' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  for (const text of ['glob', 'BEX', 'company export']) {
    await page.keyboard.press('Control+k')
    await field.fill(text)
    await options.filter({ hasText: 'globex' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${base}/subscribers?q=${text}`)
    const rows = page.getByRole('table', { name: 'Subscribers' }).locator('[data-row-link]')
    await expect.poll(() => rows.allInnerTexts(), { message: text }).toEqual(['Globex Export Company'])
  }
  for (const path of ['features', 'plans', 'subscribers/acme']) {
    await page.goto(`${base}/${path}?q=ON+single`)
    await page
      .getByRole('link', { name: /^Single sign-on/ })
      .first()
      .waitFor()
    expect(await page.getByRole('link', { name: /^Data region/ }).count(), path).toBe(0)
  }
})

it("opens a subscriber's feature when the text names both, even if Enter is pressed before the answer arrives", async () => {
  const { visitor } = await enterWithCatalog('support')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('acme seat')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/subscribers\/acme\?feature=seats/)
  await page.getByRole('dialog', { name: 'Seats' }).waitFor()

  await page.goto(page.url().replace(/\?.*/, ''))
  await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('acme seats')
  await options.filter({ hasText: 'acme: Seats' }).waitFor()
  await visitor.inspect('search-feature-of-subscriber')
})

it('lists the guides and the help, and shows the keyboard shortcuts after "?"', async () => {
  const { visitor, base } = await enterWithCatalog('developer')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.keyboard.press('?')
  await keys.getByText('Show these keys').waitFor()
  await visitor.inspect('keys')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  expect(page.url()).toBe(base)

  await page.keyboard.press('/')
  await field.fill('docs')
  await options.filter({ hasText: 'guides and API reference' }).waitFor()
  await field.fill('help keyboard')
  await page.keyboard.press('Enter')
  await keys.waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })

  // Ctrl+K opens the search even while a cell of the matrix is focused.
  await page.goto(`${base}/plans`)
  const cell = page.getByRole('gridcell').nth(3)
  await cell.focus()
  await page.keyboard.press('Control+k')
  await field.fill('webhooks')
  await options.filter({ hasText: 'guide' }).first().click()
  await page.waitForURL(/\/docs/)
  visitor.expectNoComplaint()
})

// This is the last test with a browser, because it ends the session of the person whom these tests share.
it('runs commands by the words that people use, and offers only commands that the role allows', async () => {
  const { visitor, caller, person } = await enterWithCatalog('developer')
  const { page } = visitor
  const { field, options } = searchPartsOf(page)
  const other = await service.organization()
  await other.rest('PATCH', '/org', { name: 'Umbrella' })
  await addMember(other, person, 'viewer')
  await caller.rest('PUT', '/org/webhook', { url: 'https://app.example.com/entitlements' })
  const run = async (text: string) => {
    await page.keyboard.press('Control+k')
    await field.fill(text)
    await page.keyboard.press('Enter')
  }
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await run('switch to dark mode')
  await page.locator('[data-mantine-color-scheme=dark]').waitFor()
  await run('light')
  await page.locator('[data-mantine-color-scheme=light]').waitFor()
  await run('new plan')
  await page.getByRole('dialog', { name: 'Add plan' }).waitFor()
  await page.keyboard.press('Escape')
  await run('import')
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()

  await run('stop deliveries')
  const question = page.getByRole('dialog', { name: 'Pause deliveries?' })
  await question.waitFor()
  await visitor.inspect('pause-question')
  await question.getByRole('button', { name: 'Pause deliveries' }).click()
  await page.getByText('Deliveries are paused. Events are still queued.').waitFor()
  await question.waitFor({ state: 'detached' })
  expect((await caller.rest('GET', '/org/webhook')).body.disabled).toBe(true)

  await run('umbrella')
  await page.waitForURL(`**/o/${other.organizationId}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await field.fill('new plan')
  await page.getByText('Nothing found').waitFor()
  await field.fill('logout')
  await options.filter({ hasText: 'Sign out' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  visitor.expectNoComplaint()
})

it('sends pasted text as one line, beginning with the ids that would otherwise be cut off', () => {
  expect(toSearchQuery('  acme \n corp ')).toBe('acme corp')
  const long = toSearchQuery(`${'words '.repeat(500)} c-4711 and more`)
  expect(long.startsWith('c-4711 words words')).toBe(true)
  expect(long).toHaveLength(2000)
})

it('finds guides and their sections by words in any order', () => {
  const titles = [
    { page: 'Limits', heading: 'How many evals', url: '/docs/guides/limits#evals' },
    { page: 'Limits', heading: '', url: '/docs/guides/limits' },
    { page: 'Errors', heading: '', url: '/docs/guides/errors' },
  ]
  expect(findTitles(titles, 'limit').map(({ url }) => url)).toEqual([
    '/docs/guides/limits',
    '/docs/guides/limits#evals',
  ])
  expect(findTitles(titles, 'evals LIMITS').map(({ url }) => url)).toEqual(['/docs/guides/limits#evals'])
  expect(hasWords('Help: keyboard shortcuts', 'shortcuts help')).toBe(true)
  expect(hasWords('Help: keyboard shortcuts', 'cuts')).toBe(false)
})
