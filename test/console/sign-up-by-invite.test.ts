import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { visit } from './visitor.ts'

const service = await startService({ SIGN_UP: 'invited' })
const browser = await startBrowser()

it('offers sign-up only on the page of an invite if sign-up requires one', async () => {
  const caller = await service.organization()
  const { body: invite } = await caller.rest('POST', '/org/invites', { role: 'support' })
  const { page } = visit(await browser.open(service.url))

  await page.goto(`${service.url}/sign-in`)
  await page.getByText('Ask an admin of your organization for an invite.').waitFor()
  expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
  await page.goto(`${service.url}/sign-up`)
  await page.getByRole('heading', { name: 'Sign-up is by invitation only' }).waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)

  await page.goto(invite.link)
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('E-mail').fill(`grace-${caller.organizationId}@example.org`)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})
