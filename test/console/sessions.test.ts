import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog } from './catalog.ts'
import { enter, returnToTab } from './enter.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('lets a person sign in again in the middle of a form, and keeps what was typed', async () => {
  const caller = await service.organization()
  const { visitor, person } = await enter({ service, browser }, caller, 'developer', '/features?create=1')
  const { page } = visitor
  await page.getByRole('dialog').getByLabel('Name').fill('Single sign-on')

  await page.context().clearCookies()
  await page.getByRole('dialog').getByRole('button', { name: 'Add feature' }).click()
  const question = page.getByRole('dialog', { name: 'Sign in again' })
  await question.waitFor()
  await visitor.inspect('sign-in-again')
  await visitor.signIn(person)

  await page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'Single sign-on' }).waitFor()
  visitor.expectNoComplaint()
})

it.each(['sign-in', 'sign-up'])(
  'keeps what was typed at /%s before the available sign-in methods were loaded',
  async (path) => {
    const { page } = visit(await browser.open(service.url))
    const answer = Promise.withResolvers<void>()
    await page.route('**/graphql', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.goto(`${service.url}/${path}`)
    const email = page.getByLabel('E-mail')
    await email.fill('ada@example.org')

    answer.resolve()
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
    expect(await email.inputValue()).toBe('ada@example.org')
  },
)

it('says that the server is unavailable, and lets a form be sent again once it is available', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features?create=1')
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Single sign-on')

  await page.route('**/graphql', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Add feature' }).click()
  await dialog.getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/graphql')
  await dialog.getByRole('button', { name: 'Add feature' }).click()

  await page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'Single sign-on' }).waitFor()
})

it('keeps a half-filled form after a reload', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features?create=1')
  const { page } = visitor
  await page.getByRole('dialog').getByLabel('Name').fill('Single sign-on')

  await page.reload()

  await expect.poll(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Single sign-on')
})

it('accepts an invite without ever sending its token in an address or storing it', async () => {
  const caller = await service.organization()
  const { body: invite } = await caller.rest('POST', '/org/invites', { role: 'support' })
  const token = invite.link.split('#')[1] as string
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''))

  await page.goto(`${service.url}/join#${token}`)
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('E-mail').fill(`grace-${caller.organizationId}@example.org`)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  expect(addresses.filter((address) => address.includes(token))).toEqual([])
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  )
  expect(kept).not.toContain(token)
  visitor.expectNoComplaint()
})

it('lets a person who is signed in accept an invite with another account', async () => {
  const caller = await service.organization()
  const { body: invite } = await caller.rest('POST', '/org/invites', { role: 'support' })
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  const signIn = async () => {
    await page.getByText('I have an account').click()
    await visitor.signIn(await signUp(service))
  }
  await page.goto(`${service.url}/join#${invite.link.split('#')[1]}`)
  await signIn()

  await page.getByRole('button', { name: 'Use another account' }).click()
  await signIn()
  await page.getByRole('button', { name: 'Join' }).click()

  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  visitor.expectNoComplaint()
})

it('signs a person out, and shows the requested page after the next sign-in', async () => {
  const caller = await service.organization()
  const person = await signUp(service)
  await addMember(caller, person, 'developer')
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.goto(`${service.url}/o/${caller.organizationId}/plans`)
  await visitor.signIn(person)
  await page.getByRole('heading', { name: 'Plans' }).waitFor()

  await page.getByRole('button', { name: person.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${service.url}/o/${caller.organizationId}/team`)
  await visitor.signIn(person)

  await page.getByRole('heading', { name: 'Team' }).waitFor()
  visitor.expectNoComplaint()
})

/** Opens a tab for two members of an organization with a catalog. `cell` and `bar` are of the page of plans. */
async function openForTwo() {
  const caller = await service.organization()
  await fillCatalog(caller)
  const [person, next] = [await signUp(service), await signUp(service)]
  for (const each of [person, next]) await addMember(caller, each, 'developer')
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const row = page.getByRole('row', { name: /^Single sign-on/ })
  const base = `${service.url}/o/${caller.organizationId}`
  return { visitor, page, base, person, next, bar, cell: row.getByRole('gridcell').first() }
}

it('shows the next person in a tab neither the drafts nor the Undo of the last one', async () => {
  const { visitor, page, base, person, next, bar, cell } = await openForTwo()
  await page.goto(`${base}/plans`)
  await visitor.signIn(person)
  await cell.click()
  await bar.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await cell.click()
  await bar.waitFor()

  await page.getByRole('button', { name: person.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  await visitor.signIn(next)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Plans' }).click()
  await cell.waitFor()

  expect(await bar.count()).toBe(0)
  visitor.expectNoComplaint()
})

it('keeps the drafts of a person whose session has ended, and deletes them when somebody else signs in', async () => {
  const { visitor, page, base, person, next, bar, cell } = await openForTwo()
  const name = page.getByRole('dialog').getByLabel('Name')
  const recent = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => /recent|draft/.test(key)))
  await page.goto(`${base}/features?create=1`)
  await visitor.signIn(person)
  await name.fill('Secret project')
  await page.goto(`${base}/subscribers/acme`)
  await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor()
  await page.goto(`${base}/plans`)
  await cell.click()
  await bar.waitFor()

  await page.context().clearCookies()
  await page.goto(`${base}/plans`)
  await visitor.signIn(person)
  await bar.waitFor()
  await page.context().clearCookies()
  await page.goto(`${base}/plans`)
  await visitor.signIn(next)
  await cell.waitFor()
  expect(await bar.count()).toBe(0)
  await page.goto(`${base}/features?create=1`)
  await name.waitFor()
  expect(await name.inputValue()).toBe('')
  expect(await recent()).toEqual([])
  visitor.expectNoComplaint()
})

it('opens a session in an organization when its link is followed, not on hover, and another if the cookie is lost', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const person = await signUp(service)
  await addMember(caller, person, 'admin')
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.clock.install()
  await page.goto(`${service.url}/organizations`)
  await visitor.signIn(person)
  const openings = async () => {
    const route = encodeURIComponent('/user/organizations/{organization_id}/sign-in')
    return (await caller.rest('GET', `/org/audit-events?route=${route}`)).body.audit_events.length
  }
  const link = page.getByRole('list').getByRole('link').first()
  const code = page.waitForResponse(/organization-frame/)
  await link.hover()
  await code
  expect(await openings()).toBe(0)

  await link.click()
  await page.getByText('Nothing is wrong.').waitFor()
  expect(await openings()).toBe(1)
  await page.context().clearCookies({ name: /^ent_session_/ })
  const usage = page.waitForResponse(async (response) => {
    const isUsage = response.request().postData()?.includes('EvalUsage') ?? false
    return isUsage && (await response.json()).data?.evalUsage
  })
  await returnToTab(page)
  await usage
  expect(await openings()).toBe(2)
})

it("shows both values of a field that someone else changed meanwhile, and keeps both people's other changes", async () => {
  const caller = await service.organization()
  await vendor(caller).feature('seats', { kind: 'limit', name: 'Seats', description: 'People.' })
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features/seats?edit=1')
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Seats and guests')
  await caller.rest('PATCH', '/org/features/seats', { name: 'Places', description: 'Everyone.' })

  await dialog.getByRole('button', { name: 'Save' }).click()
  const question = dialog.getByRole('alert')
  await question.getByText('Places').waitFor()
  await question.getByText('Description: Everyone.').waitFor()
  await expect.poll(() => dialog.getByLabel('Description').inputValue()).toBe('Everyone.')
  await visitor.inspect('feature-changed-meanwhile')
  await question.getByRole('button', { name: 'Keep mine: Name' }).click()

  await page.getByRole('heading', { level: 1, name: 'Seats and guests' }).waitFor()
  expect((await caller.rest('GET', '/org/features/seats')).body).toMatchObject({
    name: 'Seats and guests',
    description: 'Everyone.',
  })
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('console:draft')))
  await expect.poll(drafts).toEqual([])
})
