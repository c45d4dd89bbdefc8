import { expect, it } from 'vitest'
import { describeProgram } from '../../src/console/components/text/program.ts'
import { startBrowser } from '../support/browser.ts'
import { Browser, signUp, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { enter } from './enter.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

it('shows where a person is signed in, ends one session, and then all other sessions', async () => {
  const person = await signUp(service, { display_name: 'Ada' })
  const elsewhere = async (userAgent: string) => {
    const other = new Browser(service)
    const signIn = 'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }'
    const input = { email: person.email, password: person.password }
    await other.graphql(signIn, { input }, { headers: { 'user-agent': userAgent } })
    return other
  }
  const stolen = await elsewhere(firefox)
  await elsewhere('curl/8.5.0')
  await elsewhere(`a program with a name of many words ${'x'.repeat(600)}`)
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.goto(`${service.url}/account`)
  await visitor.signIn(person)

  const sessions = page.getByRole('table', { name: 'Sessions' })
  await sessions.getByText('Firefox on Windows').waitFor()
  await sessions.getByText('this browser').waitFor()
  await sessions.scrollIntoViewIfNeeded()
  await visitor.inspect('account-sessions')
  await sessions.getByText('Firefox on Windows').hover()
  await sessions
    .getByRole('row', { name: /Firefox/ })
    .getByRole('button', { name: 'End' })
    .click()
  await visitor.inspect('session-end')
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByText('The session in Firefox on Windows has ended.').waitFor()
  await expect.poll(() => sessions.getByRole('row').count()).toBe(4)
  expect((await stolen.graphql('{ user { userId } }')).body.errors).toHaveLength(1)

  await page.getByRole('button', { name: 'End all others' }).click()
  await visitor.inspect('sessions-end-others')
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await page.getByText('All other sessions have ended.').waitFor()
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2)
  await expect.poll(() => page.getByRole('button', { name: 'End all others' }).count()).toBe(0)
  await page.reload()
  await page.getByRole('table', { name: 'Your activity' }).getByText('Ended all other sessions').waitFor()
  visitor.expectNoComplaint()
})

it('creates an API key with an expiry and allowed networks, and marks expired keys', async () => {
  const caller = await service.organization()
  const { body: account } = await caller.rest('POST', '/org/service-accounts', { name: 'Billing', role: 'viewer' })
  const path = `/org/service-accounts/${account.service_account_id}/api-keys`
  const { body: old } = await caller.rest('POST', path, { name: 'old' })
  await service.database.pool.query(
    `update api_key set created_at = now() - interval '1 year', expires_at = now() - interval '2 days' where key_id = $1`,
    [old.key_id],
  )
  const { visitor, base } = await enter(
    { service, browser },
    caller,
    'admin',
    `/team/service-accounts/${account.service_account_id}?key=1`,
  )
  const { page } = visitor
  const drawer = page.getByRole('dialog')

  await drawer.getByLabel('Name').fill('production')
  await drawer.getByRole('button', { name: '90 days' }).click()
  await drawer.getByLabel('Allowed networks').fill('203.0.113.0/24\n10.0.0.1/8')
  await drawer.getByRole('button', { name: 'Create key' }).click()
  await drawer.getByText('Line 2: 10.0.0.1/8 has host bits; did you mean 10.0.0.0/8?').waitFor()
  await visitor.inspect('key-bound-refused')
  await drawer.getByLabel('Allowed networks').fill('203.0.113.0/24, 10.0.0.0/8\n2001:db8::/32')
  await drawer.getByRole('button', { name: 'Create key' }).click()
  await drawer.getByText(/^ent_/).waitFor()
  await drawer.getByRole('button', { name: 'I have stored it' }).click()

  const keys = page.getByRole('table', { name: 'Keys' })
  await keys.getByText('203.0.113.0/24, 10.0.0.0/8 and 1 more').waitFor()
  await keys.getByRole('row', { name: /old/ }).getByText('expired', { exact: true }).waitFor()
  await visitor.inspect('keys-bound')
  const { body } = await caller.rest('GET', path)
  expect(body.keys[1].allowed_networks).toEqual(['203.0.113.0/24', '10.0.0.0/8', '2001:db8::/32'])
  expect(Math.round((Date.parse(body.keys[1].expires_at) - Date.now()) / 86_400_000)).toBe(90)
  await page.goto(`${base}/audit-log`)
  await page
    .getByText(/created key ent_.* for service account “Billing”/)
    .first()
    .click()
  await page.getByRole('dialog').getByText('203.0.113.0/24, 10.0.0.0/8, 2001:db8::/32').waitFor()
  visitor.expectNoComplaint()
})

it('warns on Overview about an unused API key, and links to its service account', async () => {
  const caller = await service.organization()
  const { body: account } = await caller.rest('POST', '/org/service-accounts', { name: 'Old import', role: 'viewer' })
  const path = `/org/service-accounts/${account.service_account_id}/api-keys`
  const { body: key } = await caller.rest('POST', path, { name: 'nightly' })
  await service.database.pool.query(
    `update api_key set created_at = now() - interval '1 year', last_used_at = now() - interval '91 days' where key_id = $1`,
    [key.key_id],
  )
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '')
  const { page } = visitor

  await page.getByText('The service account “Old import” has a key that has not been used for 90 days.').waitFor()
  await page.getByRole('link', { name: 'See its keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'Old import' }).waitFor()
  await page.getByRole('table', { name: 'Keys' }).getByText('nightly').waitFor()
  visitor.expectNoComplaint()
})

it.each([
  [null, 'Unknown program'],
  [firefox, 'Firefox on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on macOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['x'.repeat(100), `${'x'.repeat(59)}…`],
])('shows the user agent %j as %s', (userAgent, name) => {
  expect(describeProgram(userAgent)).toBe(name)
})
