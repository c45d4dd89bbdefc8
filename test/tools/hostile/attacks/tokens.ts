import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'
import { vendor } from './vendor.ts'

const evalsPerSecond = 5
const streamsAtOnce = 3

/** A subscriber's token, from the vendor whose product the attacker uses. */
async function tokenOf({ client, attacker }: AttackContext, subscriberId: string): Promise<string> {
  const path = `/org/subscribers/${subscriberId}/tokens`
  const answer = await client.send({ method: 'POST', path, headers: attacker.headers, body: {} })
  return JSON.parse(answer?.body ?? '{}').token ?? ''
}

/** Opens streams with the token; returns how many the server serves. */
async function openStreams(scene: AttackContext, token: string, total: number): Promise<number> {
  const { client, answers } = scene
  const head = `GET /org/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`
  let served = 0
  await inParallel(scene, { total, atOnce: 20 }, async () => {
    const socket = await client.open()
    const status = new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(String(chunk).slice(9, 12)))
      socket.once('close', () => resolve('no answer'))
    })
    socket.write(head)
    answers.count(`stream ${await status}`)
    if ((await status) === '200') served += 1
  })
  return served
}

export const tokenAttacks: readonly Attack[] = [
  {
    name: "a subscriber's token in a browser that asks as much as it can",
    async run(scene) {
      const { client, scale } = scene
      const setup = vendor(scene)
      await setup.features('f', 20)
      await setup.subscriber('acme')
      await setup.subscriber('other')
      const headers = { authorization: `Bearer ${await tokenOf(scene, 'acme')}` }
      const own = '/org/subscribers/acme/entitlements'
      const requests = [
        { path: own },
        { path: own },
        { path: own },
        { path: `${own}/check`, body: { feature: 'f1' } },
        { path: `${own}/check`, body: '{' },
        { path: '/org/subscribers/other/entitlements' },
        { path: '/org/changes' },
        { path: '/org/changes?wait=1' },
        { path: '/org/features' },
        { path: '/graphql', body: { query: '{ changes { cursor } }' } },
        { path: own, method: 'OPTIONS' },
      ]
      const startedAt = performance.now()
      let evals = 0
      await inParallel(scene, { total: 4_000 * scale, atOnce: 100 }, async (index) => {
        const { path, ...request } = requests[index % requests.length] as {
          path: string
          body?: unknown
          method?: string
        }
        const answer = await client.send({ path, headers, ...request })
        if (path.startsWith(own) && answer?.status === 200) evals += 1
        if (answer?.status === 200 && !path.startsWith(own) && path.startsWith('/org/subscribers'))
          scene.fault("a token showed another subscriber's entitlements")
      })
      const seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1
      if (evals > evalsPerSecond * seconds) scene.fault(`a token had ${evals} evals in ${seconds} seconds`)
      // Wait for the next second, in which the token may send again.
      await pause(scene, 1_000)
      const served = await openStreams(scene, headers.authorization.slice(7), 50 * scale)
      if (served > streamsAtOnce) scene.fault(`a subscriber had ${served} streams at once`)
      scene.note(`${(evals / seconds).toFixed(1)} evals/s, ${served} streams`)
    },
  },
  {
    name: "tokens of twenty-five subscribers, beside the vendor's own key",
    async run(scene) {
      const { client, attacker, tenants, scale } = scene
      const [rate, perSecond] = [100, 40]
      await tenants.pool.query('update eval_counter set rate_limit = $2 where organization_id = $1', [
        attacker.organizationId,
        rate,
      ])
      const setup = vendor(scene)
      await setup.feature('f')
      const names = Array.from({ length: 25 }, (_, index) => `s${index}`)
      for (const name of names) await setup.subscriber(name)
      const tokens = await Promise.all(names.map((name) => tokenOf(scene, name)))
      // Creating the tokens counted towards the rate.
      await pause(scene, 1_000)
      const check = (name: string, headers: Record<string, string>) =>
        client.send({ path: `/org/subscribers/${name}/entitlements/check`, headers, body: { feature: 'f' } })
      let isOver = false
      const browsers = inParallel(scene, { total: 25, atOnce: 25 }, async (index) => {
        while (!isOver && !scene.signal.aborted)
          await check(names[index] as string, { authorization: `Bearer ${tokens[index]}` })
      })
      let refused = 0
      for (let second = 0; second < 3 * Math.min(scale, 3); second++) {
        const answers = await Promise.all(Array.from({ length: perSecond }, () => check('s0', attacker.headers)))
        refused += answers.filter((answer) => answer?.status === 429).length
        await pause(scene, 1_000)
      }
      isOver = true
      await browsers
      scene.note(`${refused} checks of the key refused`)
      if (refused > 0) scene.fault(`${refused} checks of the vendor's own key were refused`)
    },
  },
  {
    name: 'histories and explanations, as many as one document may have',
    async run(scene) {
      const { client, attacker, scale } = scene
      const setup = vendor(scene)
      await setup.features('f', 200)
      await setup.subscriber('acme')
      const fields = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? `a${index}: subscriber(subscriberId: "acme") { history(first: 1) { nodes { id } } }`
          : `a${index}: explanation(subscriberId: "acme") { plan }`,
      )
      const startedAt = performance.now()
      let answered = 0
      await inParallel(scene, { total: 40 * scale, atOnce: 20 }, async () => {
        const answer = await client.graphql(`{ ${fields.join(' ')} }`, undefined, attacker.headers)
        const errors = JSON.parse(answer?.body ?? '{}').errors ?? []
        if (answer?.status === 200) answered += fields.length - errors.length
      })
      const seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1
      scene.note(`${answered} answered in ${seconds} s`)
      if (answered > 20 * seconds)
        scene.fault(`${answered} were answered in ${seconds} s, but only 20 a second are allowed`)
    },
  },
  {
    name: 'tokens of many subscribers, each with as many streams as it may have, while the catalog changes',
    async run(scene) {
      const setup = vendor(scene)
      await setup.feature('f')
      const subscribers = 60 * scene.scale
      let served = 0
      await inParallel(scene, { total: subscribers, atOnce: 4 }, async (index) => {
        await setup.subscriber(`s${index}`)
        const ofOne = await openStreams(scene, await tokenOf(scene, `s${index}`), streamsAtOnce + 1)
        served += ofOne
      })
      if (served > subscribers * streamsAtOnce) scene.fault(`${subscribers} subscribers had ${served} streams`)
      await inParallel(scene, { total: 50 * scene.scale, atOnce: 2 }, (index) =>
        setup.send('PATCH', '/org/features/f', { name: `F${index}` }),
      )
      scene.note(`${served} streams`)
    },
  },
  {
    name: 'forged tokens of subscribers',
    async run(scene) {
      const { client, attacker, scale } = scene
      const setup = vendor(scene)
      await setup.subscriber('acme')
      const token = await tokenOf(scene, 'acme')
      const [head, body, signature] = token.split('.') as [string, string, string]
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const typ = 'entitlements-subscriber+jwt'
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      const forged = [
        `${head}.${encode({ ...claims, sub: 'other' })}.${signature}`,
        `${head}.${encode({ ...claims, exp: 4_000_000_000 })}.${signature}`,
        `${encode({ alg: 'none', typ })}.${body}.`,
        `${encode({ alg: 'HS512', typ })}.${body}.${signature}`,
        `${encode({ alg: 'HS256', typ, crit: ['x'], x: 1 })}.${body}.${signature}`,
        `${head}.${'A'.repeat(10_000)}.${signature}`,
        `${head}.${body}`,
        attacker.key,
      ]
      await inParallel(scene, { total: 1_000 * scale, atOnce: 50 }, async (index) => {
        const authorization = `Bearer ${forged[index % forged.length]}`
        const path = index % 2 === 0 ? '/org/subscribers/acme/entitlements' : '/org/changes'
        const answer = await client.send({ path, headers: { authorization } })
        if (answer && answer.status !== 401 && answer.status !== 503) scene.fault(`a forged token got ${answer.status}`)
      })
    },
  },
]
