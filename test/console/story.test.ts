import { expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { startReceiver } from '../support/receiver.ts'
import { writeEndingSoon } from './end-soon.ts'
import { visit } from './visitor.ts'

const deliveries = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '3600' })
await deliveries.worker()
const { service } = deliveries
const browser = await startBrowser()

it('leads a newcomer from sign-up to an override that expires, a webhook that recovers, and the audit log', async () => {
  const visitor = visit(await browser.open(service.url))
  const { page, inspect } = visitor

  await page.goto(`${service.url}/`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await inspect('sign-in')

  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail').fill('story@example.org')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText(/^Use at least \d characters\.$/).waitFor()
  await inspect('sign-up-refused')

  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.getByRole('button', { name: 'Create' }).click()

  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('link', { name: 'Features' }).click()
  await page.getByText('No features yet').waitFor()
  await inspect('features-empty')

  await page.getByRole('button', { name: 'Add feature' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Data region')
  await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('data-region')
  await page.getByRole('radio', { name: /config/ }).check()
  await page.getByLabel('Value type').selectOption('ENUM')
  await page.getByLabel('New option').fill('eu-west')
  await page.getByLabel('New option').press('Enter')
  await page.getByLabel('New option').fill('us-east')
  await page.getByLabel('New option').press('Enter')
  await inspect('feature-create')
  await page.getByRole('dialog').getByRole('button', { name: 'Add feature' }).click()

  const row = page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'Data region' })
  await row.click()
  await page.getByRole('heading', { name: 'Data region' }).waitFor()

  await page.getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('button', { name: 'Add the first plan' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Pro')
  await page.getByRole('dialog').getByRole('button', { name: 'Add plan' }).click()
  const grid = page.getByRole('grid', { name: 'Grants of each plan' })
  await grid.getByRole('gridcell').first().click()
  await grid.locator('select').selectOption('eu-west')
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Pro” was saved.').waitFor()

  const receiver = await startReceiver(500)
  atEnd(() => receiver.close())
  await page.getByRole('link', { name: 'Webhook' }).click()
  await page.getByLabel('Address').fill(`${receiver.url}/hook`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('link', { name: 'Subscribers' }).click()
  await page.getByRole('button', { name: 'Add subscriber' }).click()
  await page.getByRole('dialog').getByLabel('Id').fill('cust_1')
  await page.getByRole('dialog').getByLabel('Plan').selectOption('pro')
  await page.getByRole('dialog').getByRole('button', { name: 'Add subscriber' }).click()
  const why = page.getByRole('row', { name: /Data region/ })
  await why.getByText('"eu-west"').waitFor()
  await receiver.waitFor(1)

  await page.getByRole('link', { name: 'Webhook' }).click()
  await page.getByText('attempt 1 failed with 500').first().waitFor({ state: 'attached' })
  receiver.behave(204)
  const delivery = page.getByRole('row', { name: /entitlements\.stale/ })
  await delivery.hover()
  await delivery.getByRole('button', { name: 'Retry now' }).click()
  await delivery.getByText('delivered').waitFor()

  // In the console, people choose an expiry to the minute; a product may set seconds.
  const organizationId = /\/o\/([0-9A-Z]{26})/.exec(page.url())?.[1] as string
  await page.goto(`${service.url}/o/${organizationId}/subscribers/cust_1`)
  await why.getByText('"eu-west"').waitFor()
  const override = { subscriberId: 'cust_1', featureKey: 'data-region', kind: 'CONFIG', value: 'us-east' }
  const put = async (expiresAt: string) => {
    const answer = await page.request.post(`${service.url}/graphql`, {
      headers: { origin: service.url, 'x-organization-id': organizationId },
      data: {
        query: 'mutation ($input: PutOverrideInput!) { putOverride(input: $input) { id } }',
        variables: { input: { ...override, expiresAt } },
      },
    })
    expect((await answer.json()).errors).toBeUndefined()
  }
  await put(new Date(Date.now() + 3_600_000).toISOString())
  await page.reload()
  await why.getByText('"us-east"').waitFor()
  await writeEndingSoon(2000, put)
  await page.reload()
  await why.getByText('"eu-west"').last().waitFor()
  await expect.poll(() => receiver.received.some(({ body }) => body.includes('"expiry"'))).toBe(true)

  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('textbox', { name: /^Filter by/ }).fill('plan pro')
  await page.getByRole('option', { name: 'plan pro' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Audit log' }).getByText('created plan').waitFor()
  visitor.expectNoComplaint()
})
