import { expect, it } from 'vitest'
import { Browser, signUp, trustedLoopback } from '../support/person.ts'
import { send, sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)
const headersFrom = (ip: string) => ({ 'x-forwarded-for': ip })
const networksOf = async (userId: string) =>
  (
    await service.database.pool.query(
      'select network from sign_in_network where user_id = $1 order by last_sign_in_at, network',
      [userId],
    )
  ).rows.map(({ network }) => network)

it('the network of a sign-in is remembered, unless the password was wrong', async () => {
  const person = await signUp(service)
  await service.database.pool.query('delete from sign_in_network where user_id = $1', [person.userId])

  await send(`${service.url}/user/sign-in`, 'POST', { ...person, password: 'wrong horse' }, headersFrom('203.0.113.8'))
  await send(`${service.url}/user/sign-in`, 'POST', person, headersFrom('203.0.113.9'))
  await send(`${service.url}/user/sign-in`, 'POST', person, headersFrom('2001:db8:1:2::5'))

  expect(await networksOf(person.userId)).toEqual(['203.0.113.9', '32.1.13.184.0.1.0.2'])
})

it('only the last 20 networks of a person are kept', async () => {
  const person = await signUp(service)
  await service.database.pool.query(
    `insert into sign_in_network select $1, 'n' || n, now() - n * interval '1 hour' from generate_series(1, 25) n`,
    [person.userId],
  )

  await send(`${service.url}/user/sign-in`, 'POST', person, headersFrom('203.0.113.9'))

  const networks = await networksOf(person.userId)
  expect(networks).toHaveLength(20)
  expect(networks.at(-1)).toBe('203.0.113.9')
  expect(networks[0]).toBe('n18')
})

it("a person's networks are forgotten when the account is deleted", async () => {
  const person = await signUp(service)

  expect(await networksOf(person.userId)).toHaveLength(1)
  await person.rest('DELETE', '/user')

  expect(await networksOf(person.userId)).toEqual([])
})

it('a browser keeps its known-device cookie when the person signs out', async () => {
  const person = await signUp(service)
  const browser = new Browser(service)
  const answer = await browser.signIn(person)

  await browser.graphql('mutation { signOut }')

  expect(answer.headers.getSetCookie()[1]).toMatch(
    /^ent_mark=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
  )
  expect([...browser.cookies.keys()]).toEqual(['ent_mark'])
})
