import { expect, it } from 'vitest'
import { invalidAddresses } from '../support/invalid-addresses.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { Browser, signUp, trustedLoopback } from '../support/person.ts'
import { send, startService } from '../support/service.ts'

// In its own database: all test files on a database share the limits of unknown addresses and of this machine's address.
const service = await startService({ ...trustedLoopback, DATABASE_URL: await createOwnDatabase() })
const headersFrom = (entry: string) => ({ 'x-forwarded-for': `203.0.113.9, ${entry}` })

it("all clients without a known address share one rate limit, which is not the proxy's own", async () => {
  const ask = async (path: string, headers = {}) =>
    (await send(`${service.url}${path}`, 'GET', undefined, headers)).status
  for (const path of ['/service', '/.well-known/jwks.json']) {
    const statuses: number[] = []
    for (let n = 0; n < 61; n++)
      statuses.push(await ask(path, headersFrom(invalidAddresses[n % invalidAddresses.length] as string)))

    expect(statuses).toEqual([...Array(60).fill(200), 429])
    expect(await ask(path)).toBe(200)
    expect(await ask(path, { 'x-forwarded-for': '203.0.113.9' })).toBe(200)
  }
})

it('all sign-in attempts for one e-mail from unknown addresses share one rate limit', async () => {
  const person = await signUp(service)
  const signIn = async (entry: string) =>
    (await send(`${service.url}/user/sign-in`, 'POST', { ...person, password: 'wrong horse' }, headersFrom(entry)))
      .status

  const statuses: number[] = []
  for (const entry of invalidAddresses.slice(0, 9)) statuses.push(await signIn(entry))

  expect(statuses).toEqual([...Array(8).fill(401), 429])
  expect(await signIn('203.0.113.9')).toBe(401)
})

it('the network of a sign-in from an unknown address is not remembered, and its session shows no address', async () => {
  const person = await signUp(service)
  const browser = new Browser(service)
  const { email, password } = person
  const headers = headersFrom('unknown')
  await browser.graphql(
    'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }',
    { input: { email, password } },
    { headers },
  )

  const { body } = await browser.graphql('{ user { sessions { ip } } }')

  expect(body.data.user.sessions).toEqual([{ ip: null }])
  const { rows } = await service.database.pool.query('select network from sign_in_network where user_id = $1', [
    person.userId,
  ])
  expect(rows).toHaveLength(1)
  expect(rows[0].network).not.toBe('unknown')
})
