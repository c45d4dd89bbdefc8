/** Compares checks and snapshots. */
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { newId } from '../../../../src/core/ids.ts'
import { setCatalogBytes } from '../../../support/catalog-bytes.ts'
import { request } from '../exchanges.ts'
import type { Exchange } from '../http-load.ts'
import { features } from '../people-seed.ts'
import { seedCallers } from '../seed-callers.ts'
import type { Scale, Sizes } from './database.ts'
import type { Line } from './line.ts'
import { compareRates, type RateOptions } from './rates.ts'
import { expectingStatus } from './times.ts'

/** Subscribers of each kind in an organization that `seedOrganization` created. */
const subscribersOfKind = 200

const random = (below: number) => Math.floor(Math.random() * below)

/** `subject` returns the numbers of a subscriber and a feature. */
type EvalsOf = { key: string; subject: () => [subscriber: string, feature: number] }

function nextCheck({ key, subject }: EvalsOf): Exchange {
  const [subscriber, feature] = subject()
  const path = `/org/subscribers/${subscriber}/entitlements/check`
  return expectingStatus(request('POST', path, key, `{"feature":"feature-${feature}"}`))
}

function nextSnapshot({ key, subject }: EvalsOf): Exchange {
  return expectingStatus(request('GET', `/org/subscribers/${subject()[0]}/entitlements`, key))
}

type BySize = { ports: Record<Scale, number>; sizes: Record<Scale, Sizes>; key: string } & RateOptions

/** Compares checks for random subscribers of one organization in a small database and in one a thousand times as large. */
export async function* compareBySubscribers({ ports, sizes, key, ...options }: BySize): AsyncGenerator<Line> {
  const side = (scale: Scale, next: (evals: EvalsOf) => Exchange) => {
    const subject = (): [string, number] => {
      return [`customer-${String(random(sizes[scale].subscribers)).padStart(7, '0')}`, random(features)]
    }
    return { port: ports[scale], next: () => next({ key, subject }) }
  }
  const least = { ...options, least: 0.9 }
  yield await compareRates('check', side('small', nextCheck), side('large', nextCheck), least)
  yield await compareRates('snapshot of 40 features', side('small', nextSnapshot), side('large', nextSnapshot), least)
}

type InOne = { url: string; port: number } & RateOptions

/** Compares checks for organizations with a small and a large catalog, in the large database. */
export async function* compareByCatalog({ url, port, ...options }: InOne): AsyncGenerator<Line> {
  const [few, many] = [await seedOrganization(url, 10, 'none'), await seedOrganization(url, 2000, 'none')]
  const side = (key: string, features: number, next: (evals: EvalsOf) => Exchange) => {
    return { port, next: () => next({ key, subject: () => [`one-${random(subscribersOfKind)}`, random(features)] }) }
  }
  const least = { ...options, least: 0.9 }
  yield await compareRates('check', side(few, 10, nextCheck), side(many, 2000, nextCheck), least)
  yield await compareRates(
    'snapshot (200 times as long an answer)',
    side(few, 10, nextSnapshot),
    side(many, 2000, nextSnapshot),
    options,
  )
}

/**
 * Compares checks for subscribers with one override each, and for fewer subscribers with 500 each: both sides have equally many
 * overrides in total. Each check is of a feature with an override.
 */
export async function* compareByOverrides({ url, port, ...options }: InOne): AsyncGenerator<Line> {
  const features = 500
  const key = await seedOrganization(url, features, 'overrides')
  const ofOne = (): [string, number] => {
    const n = random(subscribersOfKind * features)
    return [`one-${n}`, n % features]
  }
  const ofMany = (): [string, number] => [`many-${random(subscribersOfKind)}`, random(features)]
  const side = (prefix: 'one' | 'many', next: (evals: EvalsOf) => Exchange) => {
    return { port, next: () => next({ key, subject: prefix === 'one' ? ofOne : ofMany }) }
  }
  const least = { ...options, least: 0.9 }
  yield await compareRates('check', side('one', nextCheck), side('many', nextCheck), least)
  yield await compareRates('snapshot of 500 features', side('one', nextSnapshot), side('many', nextSnapshot), options)
}

/**
 * Creates a plan that grants every feature, with subscribers `one-0` and so on. With overrides, each of these has one, and
 * `many-0` and so on have one for each feature: as many overrides in total. Returns a key.
 */
export async function seedOrganization(url: string, features: number, kind: 'none' | 'overrides'): Promise<string> {
  const { key, hash } = newApiKey()
  const id = newId()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  try {
    const run = (sql: string) => pool.query(sql.replaceAll('$org', `'${id}'`))
    await run(
      `insert into organization (organization_id, name, created_at, updated_at) values ($org, 'Growth', now(), now())`,
    )
    await seedCallers(pool, [id], [hash])
    await run(`insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
      select $org, 'feature-' || n, 'Feature', 'limit', now(), now() from generate_series(0, ${features - 1}) n`)
    await run(
      `insert into plan (organization_id, plan_key, name, created_at, updated_at) values ($org, 'plan', 'Plan', now(), now())`,
    )
    await run(`insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit")
      select $org, 'plan', feature_key, 'limit', 5 from feature where organization_id = $org`)
    const counts =
      kind === 'none'
        ? `('one', ${subscribersOfKind})`
        : `('one', ${subscribersOfKind * features}), ('many', ${subscribersOfKind})`
    await run(`insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
      select $org, prefix || '-' || n, now(), now() from (values ${counts}) p (prefix, many), generate_series(0, many - 1) n`)
    await run(`insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
      select $org, subscriber_id, subscriber_id, 'plan', now() from subscriber where organization_id = $org`)
    if (kind === 'overrides') {
      const put = `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)`
      await run(`${put} select $org, 'one-' || n, 'feature-' || n % ${features}, 'one-' || n, 'limit', 7, now(), now()
        from generate_series(0, ${subscribersOfKind * features - 1}) n`)
      await run(`${put} select $org, 'many-' || n, feature_key, n || feature_key, 'limit', 7, now(), now()
        from generate_series(0, ${subscribersOfKind - 1}) n, feature where organization_id = $org`)
    }
    await setCatalogBytes(pool, id)
    await pool.query('analyze organization, feature, plan, plan_grant, subscriber, subscription, override')
    return key
  } finally {
    await pool.end()
  }
}
