import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startProvider } from '../support/oidc.ts'
import { OidcBrowser } from '../support/oidc-browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, startService } from '../support/service.ts'
import { enter } from './enter.ts'
import { visit } from './visitor.ts'

const provider = await startProvider()
const plain = await startService()
const [staff, invited] = [await plain.organization(), await plain.organization()]
const env = { ...trustedLoopback, ...provider.env, OIDC_GROUP_ORGANIZATIONS: staff.organizationId }
const service = await startService(env)
const closed = await startService({ ...env, LOCAL_SIGN_IN: 'false' })
const browser = await startBrowser()
const admin = (caller: Caller) => service.member(caller.organizationId, 'admin')

it('signs a person in with the role of their group, and disables the member once they have left the group', async () => {
  const caller = await admin(staff)
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/team?tab=groups')
  const { page } = visitor
  await page.getByText('No group has a role yet.').waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByLabel('Group 1', { exact: true }).fill('help')
  await page.getByLabel('Role of group 1').selectOption('support')
  await visitor.inspect('group-roles')
  await page.getByRole('button', { name: 'Save group roles' }).click()
  await page.getByText('The roles of groups were saved.').waitFor()

  const subject = provider.add({ name: 'Grace', email: 'grace@example.org', groups: ['help'] })
  provider.next = subject
  const guest = visit(await browser.open(service.url))
  await guest.page.goto(`${service.url}/o/${staff.organizationId}/subscribers`)
  const button = guest.page.getByRole('link', { name: 'Acme Login' })
  await button.waitFor()
  await guest.inspect('sign-in-with-provider')
  await button.click()
  await guest.page.getByRole('heading', { level: 1, name: 'Subscribers' }).waitFor()

  await page.getByRole('tab', { name: 'Members' }).click()
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /Grace/ })
  await row.getByText('by group').waitFor()
  await row.getByText('support').waitFor()
  await visitor.inspect('members-by-group')
  await row.getByRole('link', { name: 'Grace' }).click()
  await page.getByText('the groups at the identity provider decide').waitFor()
  visitor.expectNoComplaint()

  provider.change(subject, { name: 'Grace', groups: [] })
  const later = visit(await browser.open(service.url))
  await later.page.goto(`${service.url}/sign-in`)
  await later.page.getByRole('link', { name: 'Acme Login' }).click()
  await later.page.getByText('You are not a member of any organization.').waitFor()
  const { members } = (await caller.rest('GET', '/org/members')).body
  expect(members.find((member: { display_name: string }) => member.display_name === 'Grace')).toMatchObject({
    status: 'disabled',
    by_group: true,
  })
})

it("accepts an invite after a sign-in at the identity provider, which never sees the invite's token", async () => {
  const caller = await admin(invited)
  const { link } = (await caller.rest('POST', '/org/invites', { role: 'viewer' })).body
  provider.next = provider.add({ name: 'Ada', groups: [] })
  const guest = await browser.open(service.url)
  const { page, foreignUrls } = guest
  await page.goto(`${service.url}/join${new URL(link).hash}`)
  await page.getByRole('link', { name: 'Acme Login' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(foreignUrls.length).toBeGreaterThan(0)
  expect(foreignUrls.join('\n')).not.toContain('inv_')
})

it('offers only the identity provider if local sign-in is off, and a retry after the provider has refused', async () => {
  const visitor = visit(await browser.open(closed.url))
  const { page } = visitor
  await page.goto(`${closed.url}/sign-in`)
  const button = page.getByRole('link', { name: 'Acme Login' })
  await button.waitFor()
  expect(await page.getByLabel('E-mail').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
  await visitor.inspect('sign-in-provider-alone')
  provider.next = null
  await button.click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByText('The identity provider did not let you in.').waitFor()
  await visitor.inspect('not-signed-in')

  provider.next = provider.add({ name: 'Ben' })
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByText('Ben').first().waitFor()
})

it('signs nobody in with a changed or replayed answer of the identity provider, or while it is unavailable', async () => {
  const { page } = await browser.open(closed.url)
  const context = page.context()
  const subject = provider.add({ name: 'Eve' })
  const start = async () => {
    const { location = '' } = (
      await context.request.get(`${closed.url}/auth/oidc/start`, { maxRedirects: 0 })
    ).headers()
    return new URL(location)
  }
  const back = async (address: URL) => new URL(await new OidcBrowser(closed).visit(provider, subject, address.href))
  const expectRefused = async (text: string) => {
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.getByText(text).waitFor()
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('ent_user')
  }

  const elsewhere = await back(await start())
  elsewhere.searchParams.set('iss', 'https://elsewhere.example')
  await page.goto(elsewhere.href)
  await expectRefused('does not belong to this sign-in')

  const otherNonce = await start()
  otherNonce.searchParams.set('nonce', 'another')
  await page.goto((await back(otherNonce)).href)
  await expectRefused('does not belong to this sign-in')

  const used = await back(await start())
  await page.goto(used.href)
  await page.getByText('Eve').first().waitFor()
  await context.clearCookies({ name: 'ent_user' })
  await page.goto(used.href)
  await expectRefused('not started in this browser')

  const late = await back(await start())
  provider.away = true
  await page.goto(late.href)
  await expectRefused('cannot be reached')
  provider.away = false
})
