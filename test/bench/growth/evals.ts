/** Lines about checks and snapshots. */
import pg from 'pg'
import { newApiKey } from '../../../src/access/api-key.ts'
import { newId } from '../../../src/core/ids.ts'
import { setCatalogBytes } from '../../support/catalog-bytes.ts'
import { request } from '../exchanges.ts'
import type { Exchange } from '../http-load.ts'
import { features } from '../people-seed.ts'
import { seedCallers } from '../seed-callers.ts'
import type { Scale, Sizes } from './database.ts'
import type { Line } from './line.ts'
import { compareRates, type RateOptions } from './rates.ts'
import { expecting } from './times.ts'

/** Subscribers of each kind in an organization of `seedOrganization`. */
const each = 200

const random = (below: number) => Math.floor(Math.random() * below)

type Asked = { key: string; subscriber: () => string; features: number }

function nextCheck({ key, subscriber, features }: Asked): Exchange {
  const path = `/org/subscribers/${subscriber()}/entitlements/check`
  return expecting(request('POST', path, key, `{"feature":"feature-${random(features)}"}`))
}

function nextSnapshot({ key, subscriber }: Asked): Exchange {
  return expecting(request('GET', `/org/subscribers/${subscriber()}/entitlements`, key))
}

type BySize = { ports: Record<Scale, number>; sizes: Record<Scale, Sizes>; key: string } & RateOptions

/** Of random subscribers of one organization: of a small database, and of one that is a thousand times as large. */
export async function* compareBySubscribers({ ports, sizes, key, ...options }: BySize): AsyncGenerator<Line> {
  const side = (scale: Scale, next: (asked: Asked) => Exchange) => {
    const subscriber = () => `customer-${String(random(sizes[scale].subscribers)).padStart(7, '0')}`
    return { port: ports[scale], next: () => next({ key, subscriber, features }) }
  }
  const least = { ...options, least: 0.9 }
  yield await compareRates('check', side('small', nextCheck), side('large', nextCheck), least)
  yield await compareRates('snapshot of 40 features', side('small', nextSnapshot), side('large', nextSnapshot), least)
}

type InOne = { url: string; port: number } & RateOptions

/** Two organizations with small and large catalogs, in the large database. */
export async function* compareByCatalog({ url, port, ...options }: InOne): AsyncGenerator<Line> {
  const [few, many] = [await seedOrganization(url, 10, 'none'), await seedOrganization(url, 2000, 'none')]
  const side = (key: string, features: number, next: (asked: Asked) => Exchange) => {
    return { port, next: () => next({ key, features, subscriber: () => `one-${random(each)}` }) }
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

/** Subscribers of one organization with one override each, and with 500. */
export async function* compareByOverrides({ url, port, ...options }: InOne): AsyncGenerator<Line> {
  const key = await seedOrganization(url, 500, 'overrides')
  // Each check is of a feature with an override.
  const side = (prefix: 'one' | 'many', next: (asked: Asked) => Exchange) => {
    const features = prefix === 'one' ? 1 : 500
    return { port, next: () => next({ key, features, subscriber: () => `${prefix}-${random(each)}` }) }
  }
  const least = { ...options, least: 0.9 }
  yield await compareRates('check', side('one', nextCheck), side('many', nextCheck), least)
  yield await compareRates('snapshot of 500 features', side('one', nextSnapshot), side('many', nextSnapshot), options)
}

/**
 * A plan that grants every feature, and subscribers `one-0` and so on; with overrides also `many-0` and so on, who
 * have one of each feature, while the others have one. Returns a key.
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
    const prefixes = kind === 'none' ? `('one')` : `('one'), ('many')`
    await run(`insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
      select $org, prefix || '-' || n, now(), now() from (values ${prefixes}) p (prefix), generate_series(0, ${each - 1}) n`)
    await run(`insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
      select $org, subscriber_id, subscriber_id, 'plan', now() from subscriber where organization_id = $org`)
    if (kind === 'overrides') {
      await run(`insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
        select $org, subscriber_id, feature_key, subscriber_id || feature_key, 'limit', 7, now(), now()
          from subscriber join feature using (organization_id)
         where organization_id = $org and (subscriber_id like 'many-%' or feature_key = 'feature-0')`)
    }
    await setCatalogBytes(pool, id)
    await pool.query('analyze organization, feature, plan, plan_grant, subscriber, subscription, override')
    return key
  } finally {
    await pool.end()
  }
}
