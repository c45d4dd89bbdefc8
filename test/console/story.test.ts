import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { visit } from './visitor.ts'

const service = await startService()
const browser = await startBrowser()

it('lets a newcomer sign up, create an organization and add a feature', { timeout: 120_000 }, async () => {
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
  await page.getByText(/^Must be /).waitFor()
  await inspect('sign-up-refused')

  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await inspect('organizations')
  await page.getByRole('button', { name: 'Create' }).click()

  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await inspect('overview')
  await page.getByRole('link', { name: 'Features' }).click()
  await page.getByText('No features yet').waitFor()
  await inspect('features-empty')

  await page.getByRole('button', { name: 'Add feature' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Data region')
  expect(await page.getByLabel('Key').inputValue()).toBe('data-region')
  await page.getByRole('radio', { name: /config/ }).check()
  await page.getByLabel('Value type').selectOption('ENUM')
  await page.getByLabel('New option').fill('eu-west')
  await page.getByLabel('New option').press('Enter')
  await inspect('feature-create')
  await page.getByRole('dialog').getByRole('button', { name: 'Add feature' }).click()

  const row = page.getByRole('table', { name: 'Features' }).getByRole('link', { name: 'Data region' })
  await row.waitFor()
  await inspect('features')
  await row.click()
  await page.getByRole('heading', { name: 'Data region' }).waitFor()
  await inspect('feature')
  visitor.expectNoComplaint()
})
