import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Store the new/ })
const secretOf = (page: Page) => dialogOf(page).locator('code').innerText()
const focusOf = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage))

it('shows a rotated secret until the person has stored it, even after a reload, and only in the same tab', async () => {
  const caller = await service.organization()
  await caller.rest('PUT', '/org/webhook', { url: 'https://hooks.example.com/' })
  const { visitor, base } = await enter({ service, browser }, caller, 'admin', '/webhook')
  const { page } = visitor
  await page.getByRole('button', { name: 'Rotate' }).click()
  const rotation = page.getByRole('dialog', { name: 'Rotate the secret' })
  await rotation.getByRole('textbox').fill('hooks.example.com')
  await page.keyboard.press('Enter')

  const secret = await secretOf(page)
  expect(secret).toMatch(/^whsec_/)
  await rotation.waitFor({ state: 'detached' })
  await expect.poll(() => focusOf(page)).toBe('Copy the secret')
  await visitor.inspect('new-secret')
  await page.keyboard.press('Escape')
  await page.mouse.click(10, 10)
  await expect
    .poll(() => dialogOf(page).getByRole('button').allInnerTexts())
    .toEqual(['Copy the secret', 'I have stored it'])

  expect(await stored(page)).not.toContain(secret)
  await page.reload()
  expect(await secretOf(page)).toBe(secret)
  await expect.poll(() => focusOf(page)).toBe('Copy the secret')
  const other = await page.context().newPage()
  await other.goto(`${base}/webhook`)
  await other.getByRole('button', { name: 'Rotate' }).waitFor()
  expect(await dialogOf(other).count()).toBe(0)

  await page.bringToFront()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the secret' }).click()
  await dialogOf(page).getByRole('status').getByText('The secret is in the clipboard.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error()) }))
  await page.getByRole('button', { name: 'Copy the secret' }).click()
  await dialogOf(page).getByText('The browser did not copy it. The secret is selected: copy it yourself.').waitFor()
  expect(await page.evaluate(() => String(window.getSelection()))).toBe(secret)
  await visitor.inspect('new-secret-not-copied')

  await page.getByRole('button', { name: 'I have stored it' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Rotate' }).waitFor()
  expect(await dialogOf(page).count()).toBe(0)
  expect(await stored(page)).not.toContain(secret)
  visitor.expectNoComplaint()
})

it('shows a new API key on every page, but never after the person has signed out', async () => {
  const caller = await service.organization()
  const { body: account } = await caller.rest('POST', '/org/service-accounts', { name: 'Billing', role: 'viewer' })
  const path = `/team/service-accounts/${account.service_account_id}`
  const { visitor, person } = await enter({ service, browser }, caller, 'admin', path)
  const { page } = visitor
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByRole('dialog', { name: 'Add key' }).getByLabel('Name').fill('production')
  await page.keyboard.press('Enter')
  const key = await secretOf(page)
  expect(key).toMatch(/^ent_/)
  await page.goBack()
  expect(await secretOf(page)).toBe(key)

  const other = await page.context().newPage()
  await other.goto(`${service.url}/account`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('E-mail').waitFor()
  await page.reload()
  await visitor.signIn(person)
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()

  expect(await dialogOf(page).count()).toBe(0)
  expect(await stored(page)).not.toContain(key)
})
