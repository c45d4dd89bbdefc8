import { expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { isSignedWith, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'
import { commandLineFor } from './command-line.ts'

const service = await startService()

async function setUp() {
  const caller = await service.organization()
  const acme = vendor(caller)
  await acme.features()
  await acme.plan('pro')
  await acme.subscriber('a')
  await acme.subscriber('b')
  const receiver = await startReceiver()
  atEnd(receiver.close)
  return { caller, acme, receiver, cli: commandLineFor({ url: service.url, key: caller.key }) }
}

it('listen prints each change until it is ended', async () => {
  const { acme, cli } = await setUp()
  const listening = cli.start(['listen'])
  await listening.waitFor(/Listening to http/)

  await acme.subscribe('a', 'pro')
  await acme.override('b', 'sso', { kind: 'flag', allowed: true })
  await acme.feature('new')
  await listening.waitFor(/catalog\.updated/)

  const { stdout, stderr } = listening.output()
  expect(stderr).toBe(`Listening to ${service.url}. Ctrl C ends it.\n`)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\S+T\S+Z /, ''))
  expect(lines.toSorted()).toEqual([
    'catalog.updated',
    'entitlements.stale a subscription',
    'entitlements.stale b override: sso',
  ])
  expect(await listening.end()).toBe(0)
})

it('listen prints a line of JSON for each change, and on request only changes of one subscriber', async () => {
  const { acme, cli } = await setUp()
  const listening = cli.start(['listen', '--json', '--subscriber', 'b'])
  await listening.waitFor(/Listening to http/)

  await acme.override('a', 'sso', { kind: 'flag', allowed: true })
  await acme.override('b', 'sso', { kind: 'flag', allowed: true })
  await listening.waitFor(/\n.*\n/)

  expect(JSON.parse(listening.output().stdout)).toMatchObject({
    type: 'entitlements.stale',
    subscriber_id: 'b',
    features: ['sso'],
  })
})

it('listen forwards each change as the webhook would, signed with a secret that it prints', async () => {
  const { caller, acme, receiver, cli } = await setUp()
  const listening = cli.start(['listen', '--forward', `${receiver.url}/webhooks`])
  await listening.waitFor(/signed with whsec_\w{43}\n/)
  const secret = /signed with (whsec_\w{43})\n/.exec(listening.output().stderr)?.[1] as string

  await acme.override('a', 'sso', { kind: 'flag', allowed: true })
  const [received] = await receiver.waitFor(1)
  await caller.rest('PATCH', '/org/plans/pro', { grants: { sso: { kind: 'flag' } } })
  await acme.feature('new')
  await listening.waitFor(/catalog\.updated/)

  expect(received).toMatchObject({ method: 'POST', path: '/webhooks', headers: { 'content-type': 'application/json' } })
  expect(isSignedWith(secret, received as never)).toBe(true)
  const event = JSON.parse(received?.body as string)
  expect(event).toMatchObject({ id: received?.id, type: 'entitlements.stale', subscriber_id: 'a', cause: 'override' })
  await until(() => receiver.received.length === 2)
  expect(JSON.parse(receiver.received[1]?.body as string)).toMatchObject({ type: 'plan.grants.updated', key: 'pro' })
  const { stdout } = listening.output()
  expect(stdout).toMatch('entitlements.stale a override: sso → 204\n')
  expect(stdout).toMatch('catalog.updated (not sent by webhooks)\n')
})

it('listen uses a secret given as an option without printing it, and reports when no receiver answers', async () => {
  const { acme, receiver, cli } = await setUp()
  const secret = `whsec_${'a1'.repeat(21)}b`
  const listening = cli.start(['listen', '--forward', `${receiver.url}/?token=mine`], {
    env: { WEBHOOK_SECRET: secret },
  })
  await listening.waitFor(/signed with WEBHOOK_SECRET\n/)

  await acme.override('a', 'sso', { kind: 'flag', allowed: true })
  const [received] = await receiver.waitFor(1)
  await listening.waitFor(/→ 204/)
  await receiver.close()
  await acme.override('b', 'sso', { kind: 'flag', allowed: true })

  await listening.waitFor(/entitlements\.stale b override: sso → connect ECONNREFUSED/)
  expect(isSignedWith(secret, received as never)).toBe(true)
  expect(received?.path).toBe('/?token=mine')
  const { stdout, stderr } = listening.output()
  expect(stdout + stderr).not.toMatch(/whsec_|mine/)
})

it('listen --forward does not need URL.parse, which Node 20.11 does not have', async () => {
  const { receiver, cli } = await setUp()

  const NODE_OPTIONS = '--import data:text/javascript,delete%20URL.parse'
  const listening = cli.start(['listen', '--forward', receiver.url], { env: { NODE_OPTIONS } })

  await listening.waitFor(/signed with whsec_/)
})

it('listen refuses a password in the address, because it would print the address', async () => {
  const { cli } = await setUp()

  const { code, stderr } = await cli.run(['listen', '--forward', 'http://ada:secret@127.0.0.1:9/'])

  expect([code, stderr]).toEqual([1, '--forward must be an address without a user and a password.\n'])
})

it('listen misses no change while the service is unavailable', async () => {
  const { acme, cli } = await setUp()
  const proxy = await startFaultyProxy(service.url)
  const listening = cli.start(['listen', '--url', proxy.url])
  await listening.waitFor(/Listening to http/)
  await until(() => proxy.requests.length === 2)
  proxy.faults.push({ status: 503 }, 'refuse', 'lose')

  await acme.override('a', 'sso', { kind: 'flag', allowed: true })
  await until(() => proxy.faults.length === 0)
  await acme.override('b', 'sso', { kind: 'flag', allowed: true })

  await listening.waitFor(/entitlements\.stale b override: sso/)
  expect(listening.output().stdout).toMatch('entitlements.stale a override: sso')
})

it('listen ends when its key is revoked', async () => {
  const { caller, cli } = await setUp()
  const { organizationId } = caller
  const other = await service.member(organizationId, 'developer')
  const listening = cli.start(['listen'], { env: { ENTITLEMENTS_API_KEY: other.key } })
  await listening.waitFor(/Listening to http/)

  await caller.rest('PATCH', `/org/members/${other.memberId}`, { status: 'disabled' })
  await listening.waitFor(/does not accept ENTITLEMENTS_API_KEY/)

  expect(await listening.ended()).toBe(1)
})
