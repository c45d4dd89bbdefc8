import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const freePlan = '/org/plans/free'
const seats = (limit: number) => ({ grants: { seats: { kind: 'limit', limit } } })

it('shows in three actions who changed a plan, and the values before and after each change', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  await caller.rest('PATCH', freePlan, seats(10))
  await caller.rest('PATCH', freePlan, { ...seats(25), name: 'Free for all' })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const actions = countActions(page)

  await actions.click(page.getByRole('link', { name: 'Audit log' }))
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  await actions.fill(page.getByRole('textbox', { name: /^Filter by/ }), 'plan free')
  await page.getByRole('option', { name: 'plan free' }).waitFor()
  await actions.press('Enter')

  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('link')
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(3)
  expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'admin(service account) renamed plan free from “free” to “Free for all” and raised limit seats on plan free from 10 to 25',
    'admin(service account) raised limit seats on plan free from 3 to 10',
    'admin(service account) created plan free with 1 grant',
  ])
  expect(actions.count()).toBeLessThanOrEqual(3)
  visitor.expectNoComplaint()
})

it('opens an audit entry with the values before and after, and steps through the entries of the same object', async () => {
  const caller = await service.organization()
  const { feature, plan, get } = vendor(caller)
  for (const key of ['seats', 'sso']) await feature(key, { kind: key === 'sso' ? 'flag' : 'limit' })
  await feature('theme', { kind: 'config', value_type: 'json' })
  await plan('pro', { seats: { kind: 'limit', limit: 10 } })
  const theme = { kind: 'config', value: { accent: 'blue', rows: [1, 2] } }
  await caller.rest('PATCH', '/org/plans/pro', {
    name: 'Professional',
    grants: { seats: { kind: 'limit', limit: null }, sso: { kind: 'flag' }, theme },
  })
  await caller.rest('PATCH', '/org/plans/pro', { grants: { seats: { kind: 'limit', limit: null }, theme } })
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/audit-log?object=plan:pro')
  const { page } = visitor

  await page.getByRole('link', { name: /renamed plan pro/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Audit entry' })
  const cells = drawer.getByRole('table', { name: 'What changed' }).getByRole('row')
  await expect.poll(() => cells.count()).toBe(5)
  expect((await cells.nth(1).innerText()).split(/\s+/)).toEqual(['name', 'pro', 'Professional'])
  await visitor.inspect('audit-entry')

  await drawer.getByRole('link', { name: /^Later/ }).click()
  await drawer.getByText('removed flag sso from plan pro').waitFor()
  await drawer.getByRole('link', { name: /^Earlier/ }).click()
  await drawer.getByText(/renamed plan pro/).waitFor()
  await drawer.getByRole('link', { name: /^Earlier/ }).click()
  await drawer.getByText('created plan pro with 1 grant').waitFor()
  expect(await drawer.getByRole('link', { name: /^Earlier/ }).count()).toBe(0)
  await drawer.getByRole('link', { name: 'plan pro', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Professional' }).waitFor()
  await page.goBack()
  await drawer.getByText('created plan pro with 1 grant').waitFor()
  expect(await drawer.getByRole('link', { name: 'Revert as a draft' }).count()).toBe(0)
  await drawer.getByRole('link', { name: /^Later/ }).click()
  await drawer.getByText(/renamed plan pro/).waitFor()
  await drawer.getByRole('link', { name: 'Revert as a draft' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await review.getByText('2 changes on 1 plan').waitFor()
  expect((await get('/org/plans/pro')).grants).toEqual({ seats: { kind: 'limit', limit: null }, theme })
  await page.goBack()
  await drawer.getByText(/renamed plan pro/).waitFor()
  await page.goto(`${base}/plans/pro?edit=1`)
  const form = page.getByRole('dialog', { name: 'Rename plan' })
  await form.getByText('This is a draft. It is not saved yet.').waitFor()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('pro')
  visitor.expectNoComplaint()
})

it('keeps the filters of the audit log in the address, and finds a refusal by actor, outcome and request id', async () => {
  const caller = await service.organization()
  await vendor(caller).feature('sso')
  const viewer = await service.member(caller.organizationId, 'viewer')
  const refused = await viewer.rest('DELETE', '/org/features/sso')
  const requestId = refused.headers.get('x-request-id') ?? refused.body.error.request_id
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/audit-log')
  const { page } = visitor
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('link')
  const field = page.getByRole('textbox', { name: /^Filter by/ })
  await page.getByRole('link', { name: /created feature sso/ }).waitFor()
  expect(await page.getByText(/tried to/).count()).toBe(0)

  await field.fill('by viewer')
  await page.getByRole('option', { name: 'by viewer' }).click()
  await page.getByText('No change matches.').waitFor()
  await page.getByRole('switch', { name: 'Changes only' }).click()
  await page.getByText('tried to delete feature sso').waitFor()
  await field.fill('refused')
  await page.getByRole('option', { name: 'refused before it ran' }).click()
  await page.reload()
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(1)
  await page.getByText('not allowed (403)').waitFor()
  await visitor.inspect('audit-log-refused')

  await page.getByRole('button', { name: 'Period' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  const period = page.getByRole('button', { name: /^Remove the filter since/ })
  await period.waitFor()
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(1)
  await page.getByRole('button', { name: 'Remove the filter by viewer' }).click()
  await page.getByRole('button', { name: 'Remove the filter refused before it ran' }).click()
  await field.fill(requestId)
  await field.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('request')).toBe(requestId)
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(1)
  visitor.expectNoComplaint()
})

it('tells viewers that they cannot see the audit log and the webhook, without errors', async () => {
  const caller = await service.organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '/audit-log')
  const { page } = visitor
  const said = page.getByText('Your role, viewer, cannot see this page.')

  await said.waitFor()
  await page.goto(`${base}/webhook`)
  await page.getByRole('heading', { name: 'Webhook' }).waitFor()
  await said.waitFor()

  expect(await page.getByRole('alert').count()).toBe(0)
  visitor.expectNoComplaint()
})

it('finds members beyond the first hundred by name and by member id, and removed members by member id', async () => {
  const caller = await service.organization()
  const { organizationId } = caller
  const now = new Date()
  const [dates, role] = [{ createdAt: now, updatedAt: now }, 'viewer' as const]
  const members = Array.from({ length: 230 }, (_, index) => {
    const displayName = `Member ${String(index).padStart(3, '0')}`
    return { organizationId, id: newId(), userId: newId(), displayName, role, ...dates }
  })
  await service.database.prisma.member.createMany({ data: members })
  const { body: account } = await caller.rest('POST', '/org/service-accounts', { name: 'Billing', role })
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/audit-log')
  const { page } = visitor
  const filter = page.getByRole('textbox', { name: /^Filter by/ })
  const chips = page.getByRole('group', { name: 'Active filters' })
  const actor = () => new URL(page.url()).searchParams.get('actor')

  await filter.fill('member 229')
  await page.getByRole('option', { name: 'by Member 229' }).waitFor()
  await filter.press('Enter')
  await expect.poll(actor).toBe(members[229]?.id)
  await filter.fill('Billing')
  await page.getByRole('option', { name: 'by Billing' }).click()
  await expect.poll(actor).toBe(account.member_id)
  await filter.fill(` ${members[200]?.id.toLowerCase()} `)
  await page.getByRole('option', { name: 'by Member 200' }).waitFor()
  await filter.press('Enter')
  await expect.poll(actor).toBe(members[200]?.id)

  const removedId = newId()
  await filter.fill(removedId)
  await page.getByRole('option', { name: `by member ${removedId}` }).click()
  await expect.poll(actor).toBe(removedId)
  await chips.getByText(/^by /).waitFor()
  visitor.expectNoComplaint()
})
