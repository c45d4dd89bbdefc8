import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('shows how a page sends requests with a subscriber token, and tries a token without storing it', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  await vendor(caller).subscriber('4711')
  const made = await caller.rest('POST', '/org/subscribers/4711/tokens')
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/subscribers/4711?open=api')
  const { page, inspect } = visitor

  const drawer = page.getByRole('dialog', { name: 'Use the API' })
  await drawer.getByRole('region', { name: 'Make a token', exact: true }).getByText('/4711/tokens').waitFor()
  await drawer.getByLabel('Token', { exact: true }).fill(made.body.token)
  await drawer.getByRole('button', { name: 'Try the token (1 eval)' }).click()
  await drawer.getByRole('region', { name: 'Answer 200' }).getByText('"subscriber_id": "4711"').waitFor()
  await inspect('subscriber-token')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  expect(stored).not.toContain(made.body.token)
  expect((await caller.rest('GET', '/org/eval-usage')).body).toMatchObject({ used: 1 })

  await drawer.getByLabel('Token', { exact: true }).fill(`${made.body.token}x`)
  await drawer.getByRole('button', { name: 'Try the token (1 eval)' }).click()
  await drawer.getByRole('region', { name: 'Answer 401' }).waitFor()
})
