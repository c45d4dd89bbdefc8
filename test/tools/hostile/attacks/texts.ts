import { createServer } from 'node:http'
import fc from 'fast-check'
import { limitOf } from '../../../support/limit-of.ts'
import { type Attack, type AttackContext, pause } from '../attack.ts'
import type { Request } from '../client.ts'
import { issuerOf } from '../server.ts'
import { bodyPositions } from '../texts/body-positions.ts'
import { Callers } from '../texts/callers.ts'
import { graphqlPositions } from '../texts/graphql-positions.ts'
import { headerPositions } from '../texts/header-positions.ts'
import { hostileTexts } from '../texts/hostile-texts.ts'
import { type Case, findCostlyTexts } from '../texts/measure.ts'
import type { Position } from '../texts/position.ts'
import { targetLengths, targetPositions } from '../texts/target-positions.ts'

/** The number of requests that are sent at once. */
const batchSize = 4
/** How many positions a run tries, and with how many of the texts; a small run ends after this time on a slow machine. */
const small = { positions: 150, texts: 8, ms: 15_000 }
/** All positions with all texts would take hours: the seed chooses the texts of each. */
const large = { positions: Infinity, texts: 10, ms: Infinity }
/** More faults would add no information. */
const maxFaults = 10

/** Sends some of the texts to all positions, or to some of them in a small run. */
async function sendTexts(scene: AttackContext, positions: readonly Position[]): Promise<void> {
  const callers = new Callers(scene)
  const most = scene.scale === 1 ? small : large
  const chosen = sample(positions, most.positions, scene.seed)
  const endsAt = performance.now() + most.ms
  let [sent, costly] = [0, 0]
  for (const [index, position] of chosen.entries()) {
    if (performance.now() > endsAt) break
    const cases = casesOf(position, scene.seed + index).slice(0, most.texts)
    for (let from = 0; from < cases.length && costly < maxFaults && !scene.signal.aborted; from += batchSize) {
      const batch = cases.slice(from, from + batchSize)
      const found = await findCostlyTexts({ scene, callers }, batch)
      for (const sentence of found) scene.fault(sentence)
      sent += batch.length
      costly += found.length
    }
  }
  scene.note(`${sent} texts, ${positions.length} positions`)
}

/** A case for each unit, in a form and of a length that the seed chooses. */
function casesOf(position: Position, seed: number): Case[] {
  const all = hostileTexts
    .filter(({ unit }) => position.encode(unit) !== null)
    .flatMap((text) => position.lengths.map((length) => ({ position, text, length })))
  const shuffled = sample(all, all.length, seed)
  return [...new Map(shuffled.map((each) => [each.text.unit, each])).values()]
}

function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  const size = Math.min(all.length, count)
  return fc.sample(fc.shuffledSubarray([...all], { minLength: size, maxLength: size }), { seed, numRuns: 1 })[0] ?? []
}

/** Longer than the half minute after which the service asks a failed identity provider again. */
const askedAgainMs = limitOf(45_000)

/** The cookie of a person who is signing in with OpenID Connect, with a provider that only publishes its metadata. */
async function beginSignIn({ client, server, signal }: AttackContext): Promise<string> {
  const issuer = issuerOf(server.issuerPort)
  const description = {
    issuer,
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    jwks_uri: `${issuer}/j`,
  }
  const provider = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(description))
  })
  provider.listen(server.issuerPort, '127.0.0.1')
  signal.addEventListener('abort', () => provider.close())
  const endsAt = Date.now() + askedAgainMs
  while (!signal.aborted) {
    const answer = await client.send({ path: '/auth/oidc/start' })
    const cookies = [answer?.headers['set-cookie'] ?? []].flat()
    if (cookies.length > 0) return cookies.map((line) => line.split(';')[0]).join('; ')
    if (Date.now() > endsAt)
      throw new Error(`nobody can sign in with OpenID Connect: ${answer?.status} ${answer?.body}`)
    await pause({ signal }, 1_000)
  }
  return ''
}

/** Sends these requests one after the other on a few connections, for some seconds. */
async function repeatAll(scene: AttackContext, requests: readonly Request[]): Promise<void> {
  const endsAt = performance.now() + 5_000 * Math.min(scene.scale, 4)
  const repeat = async () => {
    for (let turn = 0; performance.now() < endsAt && !scene.signal.aborted; turn++) {
      await scene.client.send(requests[turn % requests.length] as Request)
    }
  }
  await Promise.all(Array.from({ length: 8 }, repeat))
}

/** Paths of this text: of the maximum length that the service reads, and longer. */
function pathsOf(begin: string, unit: string, end = ''): Request[] {
  return targetLengths.map((length) => {
    const repeated = Math.floor((length - begin.length - end.length) / unit.length)
    return { path: begin + unit.repeat(repeated) + end }
  })
}

/** The texts cost no more of the server's main thread than ordinary text of the same length. */
export const textAttacks: readonly Attack[] = [
  {
    name: "ids of thirty thousand percent signs, with a subscriber's token",
    async run(scene) {
      const authorization = (await new Callers(scene).headersOf('token')).authorization as string
      const body = { context: { targetingKey: '%'.repeat(30_000) } }
      await repeatAll(scene, [{ path: '/ofrep/v1/evaluate/flags/x', headers: { authorization }, body }])
    },
  },
  {
    name: 'addresses of documents with thousands of slashes',
    run: (scene) => repeatAll(scene, pathsOf('/docs', '/', 'x/')),
  },
  {
    name: 'addresses of thousands of broken segments',
    run: (scene) => repeatAll(scene, pathsOf('/org', '/%')),
  },
  {
    name: 'hostile text in paths and queries',
    variant: 'production',
    patience: 4,
    async run(scene) {
      const { routes } = await scene.server.report()
      await sendTexts(scene, targetPositions(routes, await beginSignIn(scene)))
    },
  },
  {
    name: 'hostile text in headers',
    variant: 'production',
    patience: 8,
    async run(scene) {
      const { routes } = await scene.server.report()
      await sendTexts(scene, headerPositions(routes, `http://127.0.0.1:${scene.server.port}`))
    },
  },
  {
    name: 'hostile text in bodies and imports',
    variant: 'production',
    patience: 4,
    run: async (scene) => sendTexts(scene, bodyPositions((await scene.server.report()).routes)),
  },
  {
    name: 'hostile text in GraphQL',
    variant: 'production',
    patience: 4,
    run: (scene) => sendTexts(scene, graphqlPositions()),
  },
]
