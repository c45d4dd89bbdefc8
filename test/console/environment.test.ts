import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it("shows an organization's environment on every page and in the list of organizations", async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/settings')
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Environment' })
  const switcher = page.getByRole('button', { name: /^Acme/ })
  await section.getByRole('radio', { name: 'None' }).waitFor()
  expect(await section.getByRole('radio', { name: 'None' }).isChecked()).toBe(true)

  for (const name of ['live', 'test']) {
    await section.getByRole('radio', { name, exact: false }).check()
    await section.getByRole('button', { name: 'Save environment' }).click()
    await switcher.getByText(name, { exact: true }).waitFor()
    expect((await caller.rest('GET', '/org')).body.environment).toBe(name)
    // The page on which the switcher is inspected shows the colour of "test".
    if (name === 'live') await visitor.inspect('settings-live')
  }
  await page.getByRole('link', { name: 'Features' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor()
  await switcher.click()
  await page.getByRole('menuitem', { name: /^Acme.*test/ }).waitFor()
  await visitor.inspect('switcher-test')
  await page.keyboard.press('Escape')

  await page.goto(`${service.url}/organizations`)
  await page.getByRole('link', { name: /^Acme.*test.*admin/ }).waitFor()
  visitor.expectNoComplaint()
})

it('undoes a change of the environment, and lets only admins change it', async () => {
  const caller = await service.organization()
  await caller.rest('PATCH', '/org', { environment: 'live' })
  const admin = (await enter({ service, browser }, caller, 'admin', '/settings')).visitor.page
  await admin.getByRole('radio', { name: 'None' }).check()
  await admin.getByRole('button', { name: 'Save environment' }).click()
  await admin.getByText('The environment was changed.').waitFor()
  expect((await caller.rest('GET', '/org')).body).not.toHaveProperty('environment')
  await admin.getByRole('button', { name: 'Undo' }).click()
  await admin.getByText('Undone.').waitFor()
  expect((await caller.rest('GET', '/org')).body.environment).toBe('live')

  const viewer = (await enter({ service, browser }, caller, 'viewer', '/settings')).visitor.page
  await viewer.getByText('Your role, viewer, cannot change the organization.').waitFor()
  await viewer.getByRole('main').getByText('live', { exact: true }).waitFor()
  expect(await viewer.getByRole('radio').count()).toBe(0)
})
