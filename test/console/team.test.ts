import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { send, sharedService } from '../support/service.ts'
import { enter } from './enter.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('invites a person by a link, which another browser can accept once', async () => {
  const caller = await service.organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/team?tab=invites')
  const { page } = visitor

  await page.getByText('No invites are waiting').waitFor()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const drawer = page.getByRole('dialog', { name: 'Invite a person' })
  await drawer.getByRole('radio', { name: 'support' }).check()
  await drawer.getByLabel('E-mail').fill('grace@example.org')
  await drawer.getByRole('button', { name: 'Create link' }).click()
  const link = (await drawer.getByText(/#inv_/).innerText()).trim()
  await visitor.inspect('invite-link')
  await drawer.getByRole('button', { name: 'Done' }).click()
  await page.getByText('1 invite is waiting').waitFor()
  const readInviteReads = () => caller.rest('GET', '/org/audit-events?route=/org/invites&method=GET')
  expect((await readInviteReads()).body.audit_events).toEqual([])
  await page.getByRole('button', { name: 'Show invites' }).click()
  await page.getByRole('table', { name: 'Invites' }).getByText('grace@example.org').waitFor()
  await visitor.inspect('invites')

  const guest = visit(await browser.open(service.url))
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: /^Join / }).waitFor()
  await guest.page.getByText('You join as support: changes subscribers').waitFor()
  await guest.inspect('join-invited')
  await guest.page.getByLabel('Your name').fill('Grace')
  await guest.page.getByLabel('E-mail').fill(`grace-${caller.organizationId}@example.org`)
  await guest.page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await guest.page.getByRole('button', { name: 'Sign up' }).click()
  await guest.page.getByRole('button', { name: 'Join' }).click()
  await guest.page.getByRole('heading', { name: 'Overview' }).waitFor()
  guest.expectNoComplaint()

  await guest.page.goto('about:blank')
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: 'This invite no longer works' }).waitFor()
  await guest.inspect('join-dead')
  await page.getByRole('tab', { name: 'Members' }).click()
  const grace = page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'Grace' })
  await grace.waitFor()
  expect((await readInviteReads()).body.audit_events).toHaveLength(1)

  const { body } = await caller.rest('GET', '/org/members')
  const { member_id: memberId } = body.members.find(
    ({ display_name }: { display_name: string }) => display_name === 'Grace',
  )
  await caller.rest('DELETE', `/org/members/${memberId}`)
  await page.goto(`${base}/audit-log?actor=${memberId}&all=1`)
  await page.getByRole('button', { name: 'Remove the filter by Grace' }).waitFor()
  await page.getByText('joined with an invite').waitFor()
  await page.goto(`${base}/audit-log?object=member:${memberId}`)
  await page.getByText('removed “Grace” from the team').click()
  await page
    .getByRole('dialog', { name: 'Audit entry' })
    .getByRole('link', { name: 'member Grace', exact: true })
    .waitFor()
})

it('shows a link that the browser does not copy, and forgets links when the page is left or "back" closes the drawer', async () => {
  const caller = await service.organization()
  await caller.rest('POST', '/org/invites', { role: 'support', email: 'grace@example.org' })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/team?tab=invites')
  const { page } = visitor
  const rail = page.getByRole('navigation', { name: 'Pages' })
  await page.getByRole('button', { name: 'Show invites' }).click()
  // A page that was loaded over http may not copy text.
  await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page
    .getByRole('alert')
    .getByText(/Copy it yourself: .*#inv_/)
    .waitFor()
  await page.getByRole('row', { name: /grace/ }).hover()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invite' }).click()
  await page.getByText('The invite was revoked.').waitFor()

  await rail.getByRole('link', { name: 'Features' }).click()
  await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor()
  await rail.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('tab', { name: 'Invites' }).click()
  await page.getByText('No invites are waiting').waitFor()
  expect(await page.getByRole('table', { name: 'Invites' }).count()).toBe(0)

  const drawer = page.getByRole('dialog', { name: 'Invite a person' })
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await drawer.getByRole('button', { name: 'Create link' }).click()
  await drawer.getByText(/#inv_/).waitFor()
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await drawer.getByRole('button', { name: 'Create link' }).waitFor()
  visitor.expectNoComplaint()
})

it('changes the role of a member, disables and enables the member, and removes the member', async () => {
  const caller = await service.organization()
  const grace = await signUp(service, { display_name: 'Grace' })
  const memberId = await addMember(caller, grace, 'viewer')
  const { visitor, person } = await enter({ service, browser }, caller, 'admin', '/team')
  const { page } = visitor
  const stored = async () => (await caller.rest('GET', `/org/members/${memberId}`)).body

  await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'Grace' }).waitFor()
  await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'Grace' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('radio', { name: 'developer' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Grace was saved.').waitFor()
  expect(await stored()).toMatchObject({ role: 'developer' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await stored()).toMatchObject({ role: 'viewer' })

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Grace is disabled.').waitFor()
  expect(await stored()).toMatchObject({ status: 'disabled' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Disable' }).waitFor()
  expect(await stored()).toMatchObject({ status: 'active' })
  await caller.rest('PATCH', `/org/members/${memberId}`, { status: 'disabled' })
  await page.reload()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  await visitor.inspect('member')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByText('They lose access to this organization at once').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Grace was removed.').waitFor()
  await page.getByRole('table', { name: 'Members' }).getByText(person.email).waitFor()
  expect((await caller.rest('GET', `/org/members/${memberId}`)).status).toBe(404)
  visitor.expectNoComplaint()
})

it("refuses to change the role of the last admin or to disable them, and shows the server's reason", async () => {
  const person = await signUp(service)
  const { body } = await person.rest('POST', '/user/organizations', { name: 'Alone' })
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.goto(`${service.url}/o/${body.organization_id}/team/members/${body.member_id}?edit=1`)
  await visitor.signIn(person)

  await page.getByRole('radio', { name: 'viewer' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByText(/admin/i).last().waitFor()
  await visitor.inspect('last-admin')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable myself' }).click()
  await page.getByRole('dialog').getByText('CONFLICT').waitFor()
  visitor.expectNoComplaint()
})

it("shows a service account's new key once, and revokes the key after its prefix has been typed", async () => {
  const caller = await service.organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/team?tab=service-accounts')
  const { page } = visitor
  const check = (key: string) => send(`${service.url}/org/features`, 'GET', undefined, { 'x-api-key': key })

  await page.getByRole('button', { name: 'Add service account' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Billing backend')
  await drawer.getByRole('radio', { name: 'viewer' }).check()
  await drawer.getByRole('button', { name: 'Add service account' }).click()

  await page.getByRole('heading', { level: 1, name: 'Billing backend', includeHidden: true }).waitFor()
  await drawer.getByLabel('Name').fill('production')
  await drawer.getByRole('button', { name: 'Create key' }).click()
  const key = (await drawer.getByText(/^ent_/).innerText()).trim()
  await page.keyboard.press('Escape')
  expect(await drawer.isVisible()).toBe(true)
  await visitor.inspect('key-shown')
  await drawer.getByRole('button', { name: 'I have stored it' }).click()
  await drawer.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  expect((await check(key)).status).toBe(200)

  const keys = page.getByRole('table', { name: 'Keys' })
  await keys.getByText('production').waitFor()
  await keys.getByText('production').hover()
  await keys.getByRole('button', { name: 'Revoke' }).click()
  const revoke = drawer.getByRole('button', { name: 'Revoke key' })
  expect(await revoke.isDisabled()).toBe(true)
  await drawer.getByRole('textbox').fill(key.slice(0, 12))
  await visitor.inspect('key-revoke')
  await revoke.click()
  await page.getByText('was revoked.').waitFor()
  expect((await check(key)).status).toBe(401)
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText(/revoked key/).waitFor()
  await history.getByText(/created key/).waitFor()
  await history.getByText(/created service account/).waitFor()
  await page.goto(`${base}/audit-log`)
  await page.getByText('revoked key “production” of service account “Billing backend”').waitFor()
  visitor.expectNoComplaint()
})

it("lists a service account's last use, whichever of its many keys was used", async () => {
  const caller = await service.organization()
  const { body: account } = await caller.rest('POST', '/org/service-accounts', { name: 'Billing', role: 'viewer' })
  const path = `/org/service-accounts/${account.service_account_id}/api-keys`
  let last = ''
  for (let count = 0; count < 25; count++) {
    last = (await caller.rest('POST', path, { name: `key ${count}` })).body.key
  }
  await send(`${service.url}/org/features`, 'GET', undefined, { 'x-api-key': last })
  await expect
    .poll(async () => (await caller.rest('GET', `/org/members/${account.member_id}`)).body.last_seen_at)
    .not.toBeNull()
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/team?tab=service-accounts')

  const row = visitor.page.getByRole('row', { name: /Billing/ })
  await row.getByText('more than 20').waitFor()
  await row.locator('[data-title="Last used"]').getByText('just now').waitFor()
  visitor.expectNoComplaint()
})

it('offers viewers no changes to the team, and explains the roles in words', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/team')
  const { page } = visitor

  await page.getByText('Your role, viewer, cannot change the team.').waitFor()
  const member = page.getByRole('table', { name: 'Members' }).getByRole('link').first()
  await member.waitFor()
  expect(await page.getByRole('button', { name: /Invite|Add/ }).count()).toBe(0)
  expect(await page.getByRole('tab', { name: 'Invites' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Roles' }).click()
  await page.getByText('Everything that support may do, and:').waitFor()
  expect(page.url()).toContain('tab=roles')
  await visitor.inspect('roles')
  await page.getByRole('tab', { name: 'Members' }).click()
  await member.click()
  await page.getByText('Your role, viewer, cannot change members.').waitFor()
  expect(await page.getByRole('button', { name: /Edit|Disable|Remove/ }).count()).toBe(0)
  visitor.expectNoComplaint()
})
