import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sendImport } from '../../../../src/cli/send-import.ts'
import {
  nextCheck,
  nextCreateSubscriber,
  nextCreateSubscription,
  nextPut,
  nextSnapshot,
  request,
} from '../exchanges.ts'
import { type Exchange, runLoad } from '../http-load.ts'
import { featureOf, grantOf, planKey, size, subscriberId, variants } from '../model.ts'
import { type Version, withoutWebhook, withWebhook } from './version.ts'

type RequestTimes = { requests: number; perSecond?: number; p50Ms?: number; p99Ms?: number }

export type Case = {
  name: string
  /** How many requests, or other units, a turn runs; figures are per unit. */
  requests: number
  /** What to compare with, besides the other version. */
  bare?: 'server' | 'commits'
  /** Creates the data for this many requests; not measured. */
  prepare?(version: Version, requests: number): Promise<void>
  run(version: Version, requests: number): Promise<RequestTimes>
}

const random = (below: number) => Math.floor(Math.random() * below)
export type NextExchange = (version: Version) => Exchange

const loadOver = (connections: number) => (next: NextExchange) => (version: Version, requests: number) =>
  runLoad({ port: version.port, connections, requests, next: () => next(version) })

/** The exchanges whose answers the bare server sends as well. */
export const bareServerExchanges: Record<string, NextExchange> = {
  check: ({ keys }) => nextCheck(keys),
  [`snapshot of ${size.features}`]: ({ keys }) => nextSnapshot(keys),
}

/** Evals first: the writes change their answers. */
export function casesForConnections(connections: number): readonly Case[] {
  const load = loadOver(connections)
  const createSubscribers = load(({ keys, created }) => nextCreateSubscriber(keys, created))
  const evals = Object.entries(bareServerExchanges).map(([name, next]) => ({ name, requests: 60_000, run: load(next) }))
  const writes: Case[] = [
    { name: 'put override with a webhook', requests: 2_000, run: load((version) => nextPut(withWebhook(version))) },
    { name: 'put override without', requests: 2_000, run: load((version) => nextPut(withoutWebhook(version))) },
    { name: 'put override alone', requests: 400, run: loadOver(1)((version) => nextPut(withoutWebhook(version))) },
    { name: 'create subscriber', requests: 2_000, run: createSubscribers },
    {
      name: 'create subscription',
      requests: 2_000,
      prepare: async (version, requests) => void (await createSubscribers(version, requests)),
      run: load(({ keys, created }) => nextCreateSubscription(keys, created)),
    },
    // The write locks the organization: concurrent ones would wait for each other.
    { name: 'update plan', requests: 1_000, run: loadOver(8)(nextUpdatePlan) },
    { name: 'import', requests: 8_000, run: importLines },
  ]
  return [
    ...evals.map((each) => ({ ...each, bare: 'server' as const })),
    { name: 'check of 10', requests: 20_000, run: load(nextCheckOfTen) },
    // Each page reads two hundred rows: with more connections, a busy machine would refuse some.
    { name: 'page of GraphQL', requests: 1_000, run: loadOver(8)(nextPage) },
    ...writes.map((each) => ({ ...each, bare: 'commits' as const })),
    { name: 'start', requests: 1, run: restart },
    { name: 'a second at rest', requests: 10, prepare: restartAndSettle, run: rest },
  ]
}

function nextCheckOfTen({ keys }: Version): Exchange {
  const first = random(size.features - 10)
  const features = Array.from({ length: 10 }, (_, index) => featureOf(first + index).key)
  const path = `/org/subscribers/${subscriberId(random(size.subscribers))}/entitlements/check`
  return {
    request: request('POST', path, keys[random(keys.length)] as string, JSON.stringify({ features })),
    faultOf: (status, body) =>
      status === '200' && body.split('"feature":').length === 11 ? null : `${status} ${body}`,
  }
}

const pageOfSubscribers = JSON.stringify({
  query: '{ subscribers(first: 50) { nodes { subscriberId name activeSubscription { plan { key name } } } } }',
})

function nextPage({ keys }: Version): Exchange {
  return {
    request: request('POST', '/graphql', keys[random(keys.length)] as string, pageOfSubscribers),
    faultOf: (status, body) =>
      status === '200' && body.split('"subscriberId":').length === 51 && !body.includes('"errors"')
        ? null
        : 'not a page of 50 subscribers',
  }
}

/** Sends all grants of a random plan, with another limit in one of them. The plan has fifty subscribers. */
function nextUpdatePlan(version: Version): Exchange {
  const keys = withWebhook(version)
  const [organization, plan] = [random(keys.length), random(size.plans)]
  const grants: Record<string, unknown> = {}
  for (let feature = 0; feature < size.features; feature++) {
    const grant = grantOf(organization % variants, plan, feature)
    if (grant?.kind === 'config')
      grants[featureOf(feature).key] = { kind: 'config', value: JSON.parse(grant.valueJson) }
    else if (grant !== null) grants[featureOf(feature).key] = grant
  }
  const changed = Object.entries(grants).find(([, grant]) => (grant as { kind: string }).kind === 'limit')
  if (changed) grants[changed[0]] = { kind: 'limit', limit: random(1_000_000) }
  return {
    request: request('PATCH', `/org/plans/${planKey(plan)}`, keys[organization] as string, JSON.stringify({ grants })),
    faultOf: (status) => (status === '200' ? null : 'an answer that is not 200'),
  }
}

/** Imports new subscribers with a plan and an override each, into a random organization with a webhook. */
async function importLines(version: Version, requests: number): Promise<RequestTimes> {
  const keys = withWebhook(version)
  const run = version.imports++
  const lines = Array.from({ length: requests }, (_, index) => ({
    subscriber_id: `customer-${run}-${index}`,
    name: `Customer ${index}`,
    plan_id: planKey(0),
    overrides: { [featureOf(1).key]: { kind: 'limit', limit: 9 } },
  }))
  const startedAt = performance.now()
  const { created, errors } = await sendImport({
    url: new URL(`http://127.0.0.1:${version.port}/org/subscribers/import`),
    key: keys[random(keys.length)] as string,
    lines: Readable.from([lines.map((line) => `${JSON.stringify(line)}\n`).join('')]),
    onProgress: () => {},
  })
  if (created !== requests) throw new Error(`created ${created} of ${requests}: ${JSON.stringify(errors[0])}`)
  return { requests, perSecond: (requests / (performance.now() - startedAt)) * 1000 }
}

async function restart(version: Version): Promise<RequestTimes> {
  const startedAt = performance.now()
  await version.restart()
  return { requests: 1, p50Ms: performance.now() - startedAt }
}

async function restartAndSettle(version: Version): Promise<void> {
  await version.restart()
  await wait(5_000)
}

async function rest(_version: Version, seconds: number): Promise<RequestTimes> {
  await wait(seconds * 1000)
  return { requests: seconds }
}
