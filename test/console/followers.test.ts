import { expect, it } from 'vitest'
import { openStream } from '../changes/event-stream.ts'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { enter, returnToTab } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

it('shows how many clients follow the changes, and how soon they received the last change', async () => {
  const caller = await service.organization()
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/webhook')
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Followers' })

  await section.getByText(/^None connected\./).waitFor()
  const link = section.getByRole('link', { name: 'How to follow them' })
  await expect.poll(() => link.getAttribute('href')).toBe('/docs/guides/changes')
  await visitor.inspect('followers-none')

  await page.clock.install()
  const stream = await openStream(`${service.url}/org/changes`, { 'x-api-key': caller.key })
  await stream.take('ready')
  await returnToTab(page)
  await section.getByText('1 follower. No change has gone out yet.').waitFor()
  await caller.rest('PUT', '/org/webhook', { url: 'https://hooks.example.org/entitlements' })
  await vendor(caller).feature('sso')
  await vendor(caller).subscriber('acme')
  await vendor(caller).override('acme', 'sso', { kind: 'flag', allowed: true })
  await stream.take('entitlements.stale')
  await returnToTab(page)
  await section
    .getByText(
      /^1 follower\. The last change \(entitlements\.stale, acme\) reached it [\d.,]+ (ms|s) after it was stored/,
    )
    .waitFor()

  await stream.leave()
  await returnToTab(page)
  await section
    .getByText(/^None connected\. The last change \(entitlements\.stale, acme\) was sent [\d.,]+ (ms|s) after/)
    .waitFor()
  visitor.expectNoComplaint()
})

it('leads from "How to follow them" to the guide about following changes', async () => {
  const { page } = await browser.open(service.url)

  await page.goto(`${service.url}/docs/guides/changes`)

  await page.getByRole('heading', { name: 'Following changes' }).waitFor()
})
