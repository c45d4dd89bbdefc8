import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('tells screen readers that a choice was refused and why, and moves the focus to it', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/team?invite=1')
  const { page } = visitor
  const role = page.getByRole('radiogroup', { name: 'Role' })
  await role.getByRole('radio', { name: 'support' }).check()
  expect(await role.getAttribute('aria-invalid')).toBe('false')
  const message = 'This role cannot be given now.'
  const details = { fields: [{ path: 'input.role', message }] }
  const refusal = { message, extensions: { code: 'VALIDATION_ERROR', status: 422, requestId: '1', details } }
  await page.route('**/graphql', (route) => {
    const isInvite = route.request().postDataJSON().operationName === 'CreateInvite'
    return isInvite ? route.fulfill({ json: { data: null, errors: [refusal] } }) : route.continue()
  })

  await page.getByRole('button', { name: 'Create link' }).click()

  await page.getByText(message).waitFor()
  expect(await role.getAttribute('aria-invalid')).toBe('true')
  expect(await describe(role)).toBe(message)
  await expect.poll(() => role.getByRole('radio', { name: 'support' }).evaluate(hasFocus)).toBe(true)
  await visitor.inspect('invite-refused')

  await page.goto(`${service.url}/o/${caller.organizationId}/settings`)
  await page.getByRole('radiogroup', { name: 'Environment' }).getByRole('radio', { name: 'None' }).waitFor()
  visitor.expectNoComplaint()
})

it('names each row of a table by its first cell, for screen readers', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/features')
  const { page } = visitor
  await page
    .getByRole('table', { name: 'Features' })
    .getByRole('rowheader', { name: /^Seats/ })
    .waitFor()
  await page.goto(`${base}/subscribers`)
  const acme = page.getByRole('rowheader', { name: /^acme/ })
  await acme.getByRole('link').waitFor()
  visitor.expectNoComplaint()
})

it('hides the arrow of a choice from screen readers, for which it would be an image without a name', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers')
  const filters = visitor.page.getByRole('search')
  await filters.getByRole('combobox').waitFor()
  expect(await filters.getByRole('img').count()).toBe(0)
  visitor.expectNoComplaint()
})

const hasFocus = (element: Element) => element === document.activeElement

/** The text of the elements that describe this one. */
function describe(element: Locator): Promise<string> {
  return element.evaluate((group) => {
    const ids = group.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => document.getElementById(id)?.innerText).join(' ')
  })
}

it('tells screen readers how many rows a filter leaves', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/subscribers')
  const { page } = visitor
  const told = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
  await page.getByRole('rowheader', { name: /^acme/ }).waitFor()
  const search = page.getByRole('searchbox')

  await search.fill('acme')
  await told('1 subscriber matches.')
  await search.fill('nobody')
  await told('Nothing matches the filter.')

  await page.goto(`${base}/features?kind=LIMIT`)
  await told('2 features match.')
  await page.goto(`${base}/plans`)
  await page.getByRole('searchbox').fill('zzz')
  await told('Nothing matches the filter.')
  await page.goto(`${base}/audit-log?action=feature.created`)
  await told('entries match.')
  visitor.expectNoComplaint()
})
