import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { fillCatalog } from './catalog.ts'
import { writeEndingSoon } from './end-soon.ts'
import { enter } from './enter.ts'

const test = await startDeliveryTest()
const { service } = test
await test.worker()
const browser = await startBrowser()

const dayMs = 86_400_000

/** Why a customer has no single sign-on: what happened, and what the page says about it. */
const causes: [id: string, line: RegExp, remedy: RegExp][] = [
  ['moved', /^Moved from pro to free by admin: /, /^Change back to pro/],
  ['canceled', /^The plan pro was canceled by admin: /, /^Change back to pro/],
  ['expired', /^Single sign-on: admin’s override expired/, /^Override it again/],
  ['removed', /^Single sign-on: the override was removed by admin/, /^Override it again/],
  ['regranted', /^Plan deal was changed by admin: Single sign-on lost.*“Sold apart”/, /^Revert it on deal/],
  ['later', /^An override of Single sign-on \(on\) starts on /, /^Start it now/],
  ['untold', /^Your product has not been told of the newest change: deliveries are paused/, /a developer or an admin/],
]

it('shows a support member in 4 actions why a subscriber lacks a feature, and how to remedy this', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const given = vendor(caller)
  await given.plan('deal', { sso: { kind: 'flag' } })
  const plans = { moved: 'pro', canceled: 'pro', expired: 'free', removed: 'free', regranted: 'deal', later: 'free' }
  for (const [id] of causes) await given.subscriber(id)
  for (const [id, plan] of Object.entries(plans)) await given.subscribe(id, plan)
  const on = { kind: 'flag', allowed: true } as const
  const write = async (method: 'POST' | 'DELETE' | 'PATCH' | 'PUT', path: string, body?: object) => {
    const answer = await caller.rest(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  await write('POST', '/org/subscribers/moved/subscriptions/change', { plan_id: 'free' })
  const [{ id }] = (await given.get('/org/subscribers/canceled/subscriptions')).subscriptions
  await write('POST', `/org/subscribers/canceled/subscriptions/${id}/cancel`)
  await writeEndingSoon(1000, (expires_at) => given.override('expired', 'sso', { ...on, expires_at }))
  await given.override('removed', 'sso', on)
  await write('DELETE', '/org/subscribers/removed/overrides/sso')
  await write('PATCH', '/org/plans/deal', { grants: {}, note: 'Sold apart' })
  await given.override('later', 'sso', { ...on, starts_at: new Date(Date.now() + 3 * dayMs).toISOString() })
  await write('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
  await write('POST', '/org/webhook/disable')
  await given.subscribe('untold', 'pro')
  const { visitor } = await enter({ service, browser }, caller, 'support', '')
  const { page } = visitor

  for (const [id, line, remedy] of causes) {
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const actions = countActions(page)
    await actions.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search' })
    await search.getByRole('combobox').waitFor()
    await actions.type(`${id} sso`)
    await search.getByRole('option').first().getByText('Single sign-on').waitFor()
    await actions.press('Enter')
    await page.getByRole('dialog', { name: 'Single sign-on' }).waitFor()
    await actions.press('Escape')
    const cause = page.getByRole('list', { name: 'What happened' }).locator(':scope > li').filter({ hasText: line })
    await cause.getByText(remedy).waitFor()
    expect(actions.count(), id).toBeLessThanOrEqual(4)
  }
  visitor.expectNoComplaint()
})
