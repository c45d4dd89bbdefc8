import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('marks text that was restored after a reload as not saved, until it is discarded', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/acme?feature=seats')
  const { page } = visitor
  const drawer = page.getByRole('dialog', { name: 'Seats' })
  const restored = drawer.getByText('This is a draft. It is not saved yet.')
  await drawer.getByLabel('Note').fill('ticket 1')
  await drawer.getByLabel('Note').fill('')
  await page.reload()
  await drawer.getByLabel('Note').fill('ticket 17')
  expect(await restored.count()).toBe(0)

  await page.reload()
  await restored.waitFor()
  await expect.poll(() => drawer.getByLabel('Note').inputValue()).toBe('ticket 17')
  await visitor.inspect('form-restored')
  await drawer.getByRole('button', { name: 'Start over' }).press('Enter')
  await restored.waitFor({ state: 'detached' })

  await expect.poll(() => drawer.getByLabel('Note').inputValue()).toBe('')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.reload()
  await drawer.getByLabel('Note').waitFor()
  expect(await restored.count()).toBe(0)
  visitor.expectNoComplaint()
})

it('adapts the page to a lowered role as soon as the server refuses a write', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor, person } = await enter({ service, browser }, caller, 'admin', '/features?create=1')
  const { page } = visitor
  const rail = page.getByRole('navigation', { name: 'Pages' })
  await rail.getByRole('link', { name: 'Audit log' }).waitFor()
  await page.getByRole('dialog').getByLabel('Name').fill('Export')
  const { members } = (await caller.rest('GET', '/org/members')).body
  const { member_id: memberId } = members.find(({ email }: { email: string }) => email === person.email)
  expect((await caller.rest('PATCH', `/org/members/${memberId}`, { role: 'viewer' })).status).toBe(200)

  await page.getByRole('dialog').getByRole('button', { name: 'Add feature' }).click()

  await page.getByText('Your role, viewer, cannot change features.').waitFor()
  await rail.getByRole('link', { name: 'Audit log' }).waitFor({ state: 'detached' })
  await page.locator('aside').getByText('viewer').waitFor()
  expect(await page.getByRole('button', { name: 'Add feature' }).count()).toBe(0)
  await visitor.inspect('role-lowered')
})

it('shows in the drawer of an override that the override was saved, until the person undoes it', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor } = await enter({ service, browser }, caller, 'support', '/subscribers/acme?feature=sso')
  const { page } = visitor
  const drawer = page.getByRole('dialog', { name: 'Single sign-on' })
  const confirmed = drawer.getByText('The override of Single sign-on is in force now.')
  await drawer.getByLabel('Note').fill('ticket 17')
  await drawer.getByRole('button', { name: 'Override', exact: true }).click()
  await confirmed.waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()

  await drawer.getByLabel('Note').waitFor()
  expect(await confirmed.count()).toBe(0)
  visitor.expectNoComplaint()
})
