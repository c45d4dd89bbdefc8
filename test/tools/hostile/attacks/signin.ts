import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { generateKeyPair, SignJWT } from 'jose'
import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'
import { Client } from '../client.ts'
import { issuerOf } from '../server.ts'

/** A new network for each request, so that counters by address do not stop the requests. */
const addressOf = (index: number) => `2001:db8:${((index >> 8) & 0xffff).toString(16)}:${(index & 255).toString(16)}::1`

type Account = { email: string; password: string; display_name: string }

/** A person who signed in before, from this address and in this browser. */
async function knownPerson({ client, server, seed }: AttackContext) {
  const account = { email: `known${seed}-${Date.now()}@example.org`, password: 'correct horse', display_name: 'Ada' }
  const home = { 'x-forwarded-for': '198.51.100.7' }
  const { user_id: userId, token } = JSON.parse(
    (await client.send({ path: '/user/sign-up', headers: home, body: account }))?.body ?? '{}',
  )
  const origin = `http://127.0.0.1:${server.port}`
  const first = await client.graphql(signInDocument, { input: credentialsOf(account) }, { ...home, origin })
  const cookie = [first?.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  /** Signs in again, in that browser. */
  const signInThere = async (headers: Record<string, string>) => {
    const own = { origin, cookie: cookie.join('; '), ...headers }
    const answer = await client.graphql(signInDocument, { input: credentialsOf(account) }, own)
    return answer?.body.includes(userId) ?? false
  }
  return { account, home, signInThere, userId: userId as string, token: token as string }
}

const signInDocument = 'mutation ($input: SignInInput!) { signIn(input: $input) { userId } }'
const credentialsOf = ({ email, password }: Account) => ({ email, password })

/** Produces the text as fast as it is read. */
function* partsOf(text: string, onTaken: (bytes: number) => void): Generator<string> {
  const size = 65_536
  for (let from = 0; from < text.length; from += size) {
    onTaken(Math.min(size, text.length - from))
    yield text.slice(from, from + size)
  }
}

/** A provider at the address that the server knows. Counts its requests and the bytes that it sends. */
async function provide({ server }: AttackContext, status: number, body: string) {
  const counted = { asked: 0, bytes: 0 }
  const provider = createServer((_request, response) => {
    counted.asked += 1
    const count = (bytes: number) => {
      counted.bytes += bytes
    }
    response.writeHead(status, { 'content-type': 'application/json' })
    Readable.from(partsOf(body, count)).pipe(response)
  })
  await new Promise<void>((resolve) => provider.listen(server.issuerPort, '127.0.0.1', resolve))
  const end = () =>
    new Promise<void>((resolve) => {
      provider.close(() => resolve())
      provider.closeAllConnections()
    })
  return { counted, end }
}

/** A token that names the provider, signed with a key of its own. */
async function forgedToken({ server }: AttackContext): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT({ iss: issuerOf(server.issuerPort), aud: 'entitlements', sub: 'x' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setExpirationTime('1h')
    .sign(privateKey)
}

async function sendForgedTokens(
  scene: AttackContext,
  { status, body }: { status: number; body: string },
): Promise<void> {
  const { counted, end } = await provide(scene, status, body)
  const token = await forgedToken(scene)
  let refused = 0
  await inParallel(scene, { total: 300 * scene.scale, atOnce: 50 }, async () => {
    const answer = await scene.client.send({ path: '/user', headers: { authorization: `Bearer ${token}` } })
    if (answer?.status === 503) refused += 1
  })
  await end()
  scene.note(`the provider was asked ${counted.asked} times`)
  // The limits allow for some megabytes that the connection buffers unread, and for two requests of the server per minute.
  const mostAsked = 2 + scene.scale
  if (counted.asked > mostAsked) scene.fault(`the provider was asked ${counted.asked} times`)
  if (counted.bytes > 12_000_000) scene.fault(`${counted.bytes} bytes of keys were taken`)
  if (refused < 300 * scene.scale) scene.fault(`only ${refused} tokens were answered with 503`)
}

/** More sign-ins than may wait for an unknown person's password check. */
const crowdSize = 360

export const signinAttacks: readonly Attack[] = [
  {
    name: 'sign-ins from a hundred networks while known people sign in',
    variant: 'production',
    async run(scene) {
      const { account, home, signInThere } = await knownPerson(scene)
      const { port } = scene.server
      const crowd = new Client({ port, answers: scene.answers, signal: scene.signal, connections: crowdSize })
      let isOver = false
      const flood = inParallel(scene, { total: crowdSize, atOnce: crowdSize }, async (index) => {
        // One by one: many new connections at once would be another attack.
        await pause(scene, index * 5)
        while (!isOver && !scene.signal.aborted) {
          const answer = await crowd.send({
            path: '/user/sign-in',
            headers: { 'x-forwarded-for': addressOf(index % 100) },
            body: { email: `s${index}@example.org`, password: 'wrong horse' },
          })
          if (answer?.status !== 401) await pause(scene, 500)
        }
      })
      await pause(scene, crowdSize * 5)

      const times: number[] = []
      const timed = async (work: Promise<boolean>, who: string) => {
        const startedAt = performance.now()
        if (!(await work)) scene.fault(`${who} was refused after ${(performance.now() - startedAt).toFixed(0)} ms`)
        times.push(performance.now() - startedAt)
      }
      // Each e-mail and address may try eight times a minute, and the first sign-ins used some of these attempts.
      const rounds = 4
      for (let round = 1; round <= rounds; round++) {
        const atHome = scene.client.send({ path: '/user/sign-in', headers: home, body: credentialsOf(account) })
        const isIn = atHome.then((answer) => {
          if (answer?.status !== 200) scene.note(`${answer?.status} ${answer?.body}`)
          return answer?.status === 200
        })
        await timed(isIn, 'someone at an address where they signed in before')
        const away = { 'x-forwarded-for': `192.0.2.${round}` }
        await timed(signInThere(away), 'someone in a browser where they signed in before')
      }
      isOver = true
      await crowd.close()
      await flood
      scene.note(`${times.length} known sign-ins, the slowest ${Math.max(...times).toFixed(0)} ms`)
    },
  },
  {
    name: 'one person who keeps opening sessions',
    variant: 'production',
    async run(scene) {
      const { signInThere, token, userId } = await knownPerson(scene)
      const headers = { authorization: `Bearer ${token}` }
      const created = await scene.client.send({ path: '/user/organizations', headers, body: { name: 'Mine' } })
      const { organization_id: organizationId } = JSON.parse(created?.body ?? '{}')
      await inParallel(scene, { total: 130 * scene.scale, atOnce: 8 }, () =>
        scene.client.send({ method: 'POST', path: `/user/organizations/${organizationId}/sign-in`, headers }),
      )
      await inParallel(scene, { total: 40 * scene.scale, atOnce: 4 }, (index) =>
        signInThere({ 'x-forwarded-for': addressOf(index), 'user-agent': 'x'.repeat(8_000) }),
      )
      const { rows } = await scene.tenants.pool.query(
        `select (select count(*)::int from console_session where user_id = $1) as consoles,
                (select count(*)::int from user_session where user_id = $1) as browsers,
                (select coalesce(max(length(user_agent)), 0)::int from user_session where user_id = $1) as agent,
                (select count(*)::int from sign_in_network where user_id = $1) as networks`,
        [userId],
      )
      const { consoles, browsers, agent, networks } = rows[0]
      scene.note(`${browsers} browsers, ${consoles} console sessions, ${networks} networks`)
      // Sessions that open at the same moment may each exceed the limit by one.
      if (consoles > 100 || browsers > 104)
        scene.fault(`${browsers} browsers and ${consoles} console sessions are kept`)
      if (agent > 512) scene.fault(`${agent} characters of a user agent are kept`)
      if (networks > 24) scene.fault(`${networks} networks are kept`)
    },
  },
  {
    name: 'a key with networks where addresses can be forged',
    variant: 'production',
    async run(scene) {
      const { client, attacker } = scene
      await scene.tenants.pool.query(
        `update api_key set allowed_networks = '{203.0.113.0/24}' where organization_id = $1`,
        [attacker.organizationId],
      )
      const headers = { ...attacker.headers, 'x-forwarded-for': '203.0.113.9' }
      const check = '{ check(subscriberId: "acme", feature: "sso") { allowed } }'
      let opened = 0
      await inParallel(scene, { total: 300 * scene.scale, atOnce: 30 }, async (index) => {
        const answer =
          index % 3 === 0
            ? await client.send({ path: '/org', headers })
            : index % 3 === 1
              ? await client.send({ path: '/org/subscribers/acme/entitlements', headers })
              : await client.graphql(check, undefined, headers)
        if (answer && !/UNAUTHORIZED/.test(answer.body)) opened += 1
      })
      if (opened > 0) scene.fault(`${opened} requests with a forged address were let in`)
    },
  },
  {
    name: 'tokens of an identity provider that fails',
    run: (scene) => sendForgedTokens(scene, { status: 500, body: '{}' }),
  },
  {
    name: 'tokens of an identity provider with two hundred thousand keys',
    variant: 'production',
    async run(scene) {
      const key = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43), use: 'sig' }
      const keys = Array.from({ length: 200_000 }, (_, n) => ({ ...key, kid: `k${n}` }))
      await sendForgedTokens(scene, { status: 200, body: JSON.stringify({ keys }) })
    },
  },
  {
    name: 'callbacks of OpenID Connect without a started sign-in, while the provider fails',
    variant: 'production',
    async run(scene) {
      const { counted, end } = await provide(scene, 500, '{}')
      const total = 400 * scene.scale
      let refused = 0
      await inParallel(scene, { total, atOnce: 50 }, async (index) => {
        const isStart = index % 2 === 0
        const path = isStart
          ? `/auth/oidc/start?to=//evil.example/${index}`
          : `/auth/oidc/callback?code=${index}&state=x`
        const cookie = `__Secure-ent_oidc=${'A'.repeat(3_000)}`
        const answer = await scene.client.send({ path, headers: { cookie, 'x-forwarded-for': addressOf(index) } })
        if (answer?.status === (isStart ? 503 : 401)) refused += 1
      })
      await end()
      scene.note(`the provider was asked ${counted.asked} times`)
      if (counted.asked > 2 + scene.scale) scene.fault(`the provider was asked ${counted.asked} times`)
      if (refused < total) scene.fault(`only ${refused} sign-ins were refused as they should be`)
    },
  },
]
