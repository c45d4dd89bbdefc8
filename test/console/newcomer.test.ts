import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { enter } from './enter.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('leads from sign-up to a check that is allowed, without leaving the checklist', async () => {
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  const actions = countActions(page)
  const { fill, click, press, type } = actions
  const steps = page.getByRole('region', { name: 'Steps to the first check' })
  const current = steps.locator('[aria-current=step]')

  await page.goto(`${service.url}/sign-up`)
  await fill(page.getByLabel('Your name'), 'Ada')
  await fill(page.getByLabel('E-mail'), 'newcomer@example.org')
  await fill(page.getByRole('textbox', { name: 'Password' }), 'correct horse battery staple')
  await press('Enter')
  await page.getByText('You are not a member of any organization.').waitFor()
  await visitor.inspect('organizations-none')
  await fill(page.getByLabel('Name', { exact: true }), 'Acme')
  await press('Enter')
  await steps.getByText('0 of 6 done.').waitFor()
  await visitor.inspect('checklist-empty')

  await fill(current.getByLabel('Name'), 'Single sign-on')
  await press('Enter')
  await steps.getByText('1 of 6 done.').waitFor()
  // The focus has moved to the next step.
  await expect.poll(() => current.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await type('Pro')
  await press('Enter')
  await steps.getByText('2 of 6 done.').waitFor()
  await expect.poll(() => current.getByLabel('Id').evaluate((field) => field === document.activeElement)).toBe(true)
  await type('acme')
  await press('Enter')
  await steps.getByText('3 of 6 done.').waitFor()
  await expect.poll(() => current.evaluate((step) => step.contains(document.activeElement))).toBe(true)
  await press('Enter')
  const secret = page.getByRole('dialog', { name: 'Store the new key' })
  const key = await secret.locator('code').innerText()
  await visitor.inspect('checklist-key')
  await click(secret.getByRole('button', { name: 'I have stored it' }))
  await steps.getByText('4 of 6 done.').waitFor()

  const command = await steps.locator('pre').innerText()
  await visitor.inspect('checklist-check')
  await click(steps.getByRole('button', { name: 'Run this check' }))
  await steps.getByText('"allowed": true').waitFor()
  await steps.getByText('5 of 6 done.').waitFor()
  expect(actions.count()).toBe(15)
  await visitor.inspect('checklist-done')

  const env = { ...process.env, ENTITLEMENTS_API_KEY: key }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -m 60`], { env })
  expect(JSON.parse(stdout)).toMatchObject({ feature: 'single-sign-on', allowed: true })
  await click(steps.getByRole('button', { name: 'Hide' }))
  await steps.waitFor({ state: 'detached' })
  visitor.expectNoComplaint()
})

it('continues the checklist with existing objects: a plan that grants nothing, and a subscriber without a plan', async () => {
  const caller = await service.organization()
  const given = vendor(caller)
  await given.feature('seats', { kind: 'limit', name: 'Seats' })
  await given.plan('pro', { seats: { kind: 'limit', limit: 0 } })
  await given.subscriber('acme')
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const steps = page.getByRole('region', { name: 'Steps to the first check' })
  const current = steps.locator('[aria-current=step]')

  await steps.getByText('2 of 6 done.').waitFor()
  await steps.getByText('Until the steps above are done, each check answers false.').waitFor()
  await visitor.inspect('checklist-grants-nothing')
  await current.getByRole('button', { name: 'Grant it on “pro”' }).click()
  await expect.poll(() => current.getByLabel('Id').inputValue()).toBe('acme')
  await current.getByRole('button', { name: 'Add to “pro”' }).click()
  await steps.getByText('4 of 6 done.').waitFor()
  await given.override('acme', 'seats', { kind: 'limit', limit: 0 })
  await given.feature('sso')
  await given.override('acme', 'sso', { kind: 'flag', allowed: true })
  await page.reload()

  // The override takes away the feature that the plan grants, so the checklist proposes a check of another feature.
  await steps.getByText('"feature":"sso"').waitFor()
  await current.getByRole('button', { name: 'Run this check' }).click()
  await steps.getByText('"allowed": true').waitFor()
})

it('says which steps of the checklist need an admin', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '')
  const steps = visitor.page.getByRole('region', { name: 'Steps to the first check' })

  await steps.getByText('Your role, support, cannot do this: ask an admin.').first().waitFor()

  await visitor.inspect('checklist-support')
})

it('tells a removed member on the page that they are no longer a member, and links to their organizations', async () => {
  const caller = await service.organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'support', '/subscribers')
  const { page } = visitor
  const told = page.getByRole('heading', { name: 'You are not a member of this organization' })
  await page.getByRole('heading', { name: 'Subscribers', level: 1 }).waitFor()
  const { members } = await vendor(caller).get('/org/members')
  const [member] = members.filter(({ role }: { role: string }) => role === 'support')

  await caller.rest('DELETE', `/org/members/${member.member_id}`)
  await page.getByRole('link', { name: 'Features', exact: true }).click()
  await told.waitFor()
  await visitor.inspect('not-a-member')
  await page.getByRole('link', { name: 'Your organizations' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  const left = page.locator(`a[href="${new URL(base).pathname}"]`)
  await expect.poll(() => left.count()).toBe(0)
  await page.goto(`${base}/plans`)
  await told.waitFor()
})
