import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../worker/signature.ts'
import { builtScript } from '../support/built-service.ts'

const secret = `whsec_${'aB3'.repeat(14)}x`
const id = '01M7Y8EJCJTWX7C9GWKHGCDZ4P'
const body = `{"id":"${id}","type":"entitlements.stale","subscriber_id":"müller","cause":"override","features":["seats"]}`

const listenScript = builtScript('src/cli/webhook-listen.ts')

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

/** A receiver in its own process; `nextLine` resolves to the next line that it prints. */
function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, nextLine: async () => (await lines.next()).value as string }
}

type Signing = { secret?: string; now?: () => Date; signed?: string; signature?: string }

/** Makes an attempt; resolves to the status that the receiver answers. */
async function send(url: string, { signed = body, now = () => new Date(), signature, ...signing }: Signing = {}) {
  const headers = signatureHeaders({ id, body: Buffer.from(signed), secret: signing.secret ?? secret, now: now() })
  if (signature !== undefined) headers['x-service-webhook-signature'] = signature
  const { status } = await fetch(url, { method: 'POST', headers, body })
  return status
}

/** The time so many minutes from the moment of sending. */
const minutes = (count: number) => () => new Date(Date.now() + count * 60_000)
const forgeries: [string, Signing][] = [
  ['signed with another secret', { secret: secret.replace('a', 'b') }],
  ['with a body other than the signed one', { signed: body.replace('seats', 'users') }],
  ['with a timestamp of ten minutes ago', { now: minutes(-10) }],
  ['with a timestamp ten minutes in the future', { now: minutes(10) }],
  ['with half a signature', { signature: 'ab12' }],
  ['with a signature that is not hexadecimal', { signature: 'nonsense' }],
]

describe('npm run webhook:listen', () => {
  async function listen(...more: string[]) {
    const { nextLine } = run([listenScript, '--port', '0', ...more], { WEBHOOK_SECRET: secret })
    const url = /http:\S+/.exec(await nextLine())?.[0] as string
    return { url, nextLine }
  }

  it('prints and verifies each attempt that arrives', async () => {
    const { url, nextLine } = await listen()

    expect(await send(url)).toBe(200)
    expect(await nextLine()).toBe(`✓ ${id} ${body}`)
    expect(await send(url, { now: minutes(-4) })).toBe(200)
    expect(await nextLine()).toBe(`✓ ${id} ${body}`)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
    expect(await nextLine()).toBe('✗ without an id: it is not signed')
    for (const [, forgery] of forgeries) {
      expect(await send(url, forgery)).toBe(401)
      expect(await nextLine()).toMatch(
        /^✗ 01M7Y8EJCJTWX7C9GWKHGCDZ4P: (the signature was|its timestamp and this machine.s clock are (5|6)\d\d seconds apart)/,
      )
    }
  })

  it('also accepts the secret as an argument', async () => {
    const { nextLine } = run([listenScript, '--port', '0', '--secret', secret], { WEBHOOK_SECRET: '' })

    expect(await send(/http:\S+/.exec(await nextLine())?.[0] as string)).toBe(200)
  })

  it('reports an invalid secret in the environment, without printing it', async () => {
    const { child } = run([listenScript], { WEBHOOK_SECRET: 'whsec_short' })

    const [line] = await once(child.stderr, 'data')

    expect(String(line)).toBe('WEBHOOK_SECRET must be whsec_ and 43 characters.\n')
  })

  it('answers with another status on request', async () => {
    const { url } = await listen('--status', '503')

    expect(await send(url)).toBe(503)
    expect(await send(url, { secret: 'whsec_x' })).toBe(401)
  })

  it.each([
    [[], /^WEBHOOK_SECRET is required/],
    [['--secret', 'whsec_short'], /^--secret must be whsec_ and 43 characters\.\n$/],
    [
      ['--secret', secret, '--port', 'x'],
      /^Option '--port <port>' argument 'x' is invalid\. It must be a whole number/,
    ],
    [
      ['--secrt', secret],
      /^Unknown option '--secrt' \(Did you mean --secret\?\)\. More: entitlements-service webhook:listen --help/,
    ],
  ])('reports what is wrong with %j, without printing a secret', async (args, message) => {
    const { child } = run([listenScript, ...args], { WEBHOOK_SECRET: '' })
    let printed = ''
    child.stderr?.on('data', (chunk) => {
      printed += chunk
    })

    const code = await new Promise((resolve) => child.once('close', resolve))

    expect(code).toBe(1)
    expect(printed).toMatch(message)
  })
})

describe('the receiver in docs/guides/webhooks.md', () => {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/guides/webhooks.md', 'utf8'))?.[1] as string

  async function start() {
    const announced = code.replace('4100)', '4100, () => console.log(server.address().port))')
    const { nextLine } = run(['--input-type=module', '-e', announced], { WEBHOOK_SECRET: secret, PORT: '0' })
    return { url: `http://127.0.0.1:${await nextLine()}/`, nextLine }
  }

  it('accepts an attempt signed now or four minutes ago', async () => {
    const { url, nextLine } = await start()

    expect(await send(url)).toBe(200)
    expect(await nextLine()).toBe('entitlements.stale müller')
    expect(await send(url, { now: minutes(-4) })).toBe(200)
  })

  it.each(forgeries)('refuses an attempt %s', async (_, forgery) => {
    const { url } = await start()

    expect(await send(url, forgery)).toBe(401)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
  })
})
