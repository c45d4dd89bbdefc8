import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { toDeliveryCurl } from '../../src/console/pages/webhook/delivery/to-curl.ts'
import { atEnd } from '../support/at-end.ts'
import { startBrowser } from '../support/browser.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { type ReceivedRequest, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { countActions } from './actions.ts'
import { enter, returnToTab } from './enter.ts'

// The next attempt is due long after the tests, so that it does not begin by itself on a slow machine.
const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '1800' })
const { service } = test
await test.worker()
const browser = await startBrowser()

/** Runs the snippet that the page shows, with the secret in it, and returns whether it finds the request genuine. */
async function verify(snippet: string, secret: string, { headers, body }: ReceivedRequest): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'snippet-'))
  atEnd(() => rm(folder, { recursive: true }))
  const file = join(folder, 'verify.mjs')
  await writeFile(file, snippet.replace('process.env.WEBHOOK_SECRET', JSON.stringify(secret)))
  const { isGenuine } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  return isGenuine(headers, Buffer.from(body))
}

it('connects a webhook, sends a test event, and shows the attempt and its answer, in five actions', async () => {
  const caller = await service.organization()
  const receiver = await startReceiver(() => (response) => response.writeHead(200).end('thank you'))
  atEnd(() => receiver.close())
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/features')
  const { page } = visitor
  await page.getByRole('heading', { name: 'Features' }).waitFor()
  const actions = countActions(page)

  await actions.click(page.getByRole('link', { name: 'Webhook' }))
  // The page's only field has the focus at the start.
  await expect.poll(() => page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true)
  await actions.type(`${receiver.url}/hook`)
  await actions.press('Enter')
  const secret = await page.getByRole('dialog', { name: 'Store the new secret' }).locator('code').innerText()
  await actions.click(page.getByRole('button', { name: 'I have stored it' }))
  await actions.click(page.getByRole('button', { name: 'Send test event' }))

  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('Attempt 1').waitFor()
  await drawer.getByText('thank you').waitFor()
  await drawer.getByText('delivered').waitFor()
  expect(actions.count()).toBeLessThanOrEqual(5)
  await visitor.inspect('webhook-delivery')

  const [received] = (await receiver.waitFor(1)) as [ReceivedRequest]
  await drawer.getByText('Verify it in your receiver').click()
  const snippet = await drawer.getByRole('region', { name: 'Node' }).locator('pre').innerText()
  expect(await verify(snippet, secret, received)).toBe(true)
  expect(await verify(snippet, secret, { ...received, body: `${received.body} ` })).toBe(false)
  expect(await page.getByText(secret).count()).toBe(0)
  visitor.expectNoComplaint()
})

it('shows failed attempts, retries an event at once after the receiver has recovered, and sends it again', async () => {
  const caller = await test.vendor(500)
  await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 5 })
  await until(async () => (await test.events(caller)).some(({ attempts }) => attempts === 1))
  const { visitor } = await enter({ service, browser }, caller, 'developer', '/webhook')
  const { page } = visitor
  const row = page.getByRole('row', { name: /entitlements\.stale/ })

  await row.getByText('attempt 1 failed with 500').waitFor({ state: 'attached' })
  await row.getByRole('timer').waitFor()
  await visitor.inspect('webhook-failing')
  caller.receiver.behave(204)
  await row.hover()
  await row.getByRole('button', { name: 'Retry now' }).click()
  await row.getByText('delivered').waitFor()

  await row.getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('Attempt 2').waitFor()
  await drawer.getByRole('button', { name: 'Resend' }).click()
  await drawer.getByText('Attempt 3').waitFor()
  expect(caller.receiver.received).toHaveLength(3)
  await drawer.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('radiogroup', { name: 'State' }).getByText('Failed').click()
  await page.getByText('No delivery matches.').waitFor()
  await page.getByRole('radiogroup', { name: 'State' }).getByText('All').click()
  await page.getByRole('searchbox', { name: 'Subscriber id' }).fill('acme')
  await page.waitForURL(/subscriber=acme/)
  await row.waitFor()
  await page.getByLabel('Type').selectOption('webhook.test')
  await page.getByText('No delivery matches.').waitFor()
  visitor.expectNoComplaint()
})

it('pauses, resumes, changes and deletes the webhook, rotates its secret, and says what each action affects', async () => {
  const caller = await test.vendor()
  const { visitor } = await enter({ service, browser }, caller, 'admin', '/webhook')
  const { page } = visitor
  await page.clock.install()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Deliveries have been paused/).waitFor()
  await test.emit(caller)
  await returnToTab(page)
  await page.getByText(/1 event is waiting and will be sent when deliveries resume/).waitFor()
  await page.getByText('when resumed').waitFor()
  await page.getByRole('button', { name: 'Send test event' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('204').first().waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.getByText(/1 event is waiting and will be sent when deliveries resume/).waitFor()
  expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBe(0)
  await visitor.inspect('webhook-paused')
  const groundOf = (name: string) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  await page.mouse.move(0, 0)
  const primary = await groundOf('Resume (1 waiting)')
  expect(await groundOf('Send test event')).not.toBe(primary)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.mouse.move(0, 0)
  await expect.poll(() => groundOf('Send test event')).toBe(primary)
  await page
    .getByRole('row', { name: /entitlements\.stale/ })
    .getByText('delivered')
    .waitFor()

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Change address' })
  await form.getByLabel('Address').fill('ftp://elsewhere')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/^Enter an http or https address/).waitFor()
  await form.getByLabel('Address').fill(`${caller.receiver.url}/moved`)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The address was saved.').waitFor()

  await page.getByRole('button', { name: 'Rotate' }).click()
  const rotation = page.getByRole('dialog', { name: 'Rotate the secret' })
  const rotate = rotation.getByRole('button', { name: 'Rotate secret' })
  expect(await rotate.isDisabled()).toBe(true)
  await rotation.getByRole('textbox').fill(new URL(caller.receiver.url).host)
  await rotate.click()
  const secret = await page.getByRole('dialog', { name: 'Store the new secret' }).locator('code').innerText()
  expect(secret).toMatch(/^whsec_/)
  expect(secret).not.toBe(caller.secret)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('rotated the secret of the webhook').waitFor()
  await history.getByText(/^.*moved the webhook from/).waitFor()

  await service.database.prisma.webhookEndpoint.update({
    where: { organizationId: caller.organizationId },
    data: { disabled: true, disabledAt: new Date(), exhaustedInARow: 8 },
  })
  await returnToTab(page)
  await page.getByText(/^8 events in a row ran out of attempts/).waitFor()
  await page.getByText('after failures').waitFor()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog', { name: /^Delete the webhook/ })
  await deletion.getByText(/Nothing is queued/).waitFor()
  await deletion.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'Connect your product' }).waitFor()
  expect((await caller.rest('GET', '/org/webhook')).status).toBe(404)
})

it('shows a delivery as a shell command with the headers and the body as they were sent', () => {
  const attempt = { number: 1, status: 500, error: 'x', startedAt: '', durationMs: 1, answer: null }
  const headers = { 'content-type': 'application/json', host: 'a', 'X-Service-Webhook-Id': '01' }

  expect(toDeliveryCurl('https://a/?b=1', { attempts: [{ ...attempt, headers }], body: '{"it\'s":1}' })).toBe(
    [
      "curl -X POST 'https://a/?b=1'",
      "  -H 'content-type: application/json'",
      "  -H 'X-Service-Webhook-Id: 01'",
      `  --data-raw '{"it'\\''s":1}'`,
    ].join(' \\\n'),
  )
  expect(toDeliveryCurl('https://a/', { attempts: [{ ...attempt, headers: null }], body: '{}' })).toBeNull()
})
