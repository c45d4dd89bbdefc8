import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { migrate } from '../../../../src/database/migrate.ts'
import { featureOf, size, subscriberId } from '../model.ts'
import { seedBench } from '../seed.ts'

type CheckMethod = { name: string; check(): Promise<void> }

/** The organizations of the bench on a Citus cluster, and the two ways to ask it for an eval. */
export type Citus = {
  ways: readonly CheckMethod[]
  nodes: readonly pg.Pool[]
  /** Throws unless each check was counted. */
  assertCounted(): Promise<void>
  stop(): Promise<void>
}

const connectionsOfNode = 16
const evalText = 'select refusal, plan from eval_of_one($1, $2, $3, $4)'
const random = (below: number) => Math.floor(Math.random() * below)

/** Migrates, fills and distributes the database. `url` is the coordinator's. */
export async function startCitus(url: string): Promise<Citus> {
  await migrate({ url })
  const coordinator = openPool(url)
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seedBench(
    coordinator,
    keys.map(({ hash }) => hash),
  )
  await coordinator.query(await readFile(new URL('citus.sql', import.meta.url), 'utf8'))
  const organizations = await readOrganizations(coordinator)
  const nodes = new Map<string, pg.Pool>()
  for (const { host, port } of organizations) nodes.set(`${host}:${port}`, openPool(withNode(url, host, port)))
  let answered = 0

  const check = async (poolOf: (organization: Organization) => pg.Pool) => {
    const organization = organizations[random(organizations.length)] as Organization
    const values = [organization.id, organization.hash, subscriberId(random(size.subscribers))]
    const { key } = featureOf(random(size.features))
    const { rows } = await poolOf(organization).query({ name: 'eval', text: evalText, values: [...values, key] })
    if (rows[0].refusal !== null || rows[0].plan === null) throw new Error(`an eval was refused: ${rows[0].refusal}`)
    answered += 1
  }
  return {
    ways: [
      { name: 'Citus: one function for an eval', check: () => check(() => coordinator) },
      {
        name: 'the same, sent to the workers',
        check: () => check(({ host, port }) => nodes.get(`${host}:${port}`) as pg.Pool),
      },
    ],
    nodes: [coordinator, ...nodes.values()],
    async assertCounted() {
      const { rows } = await coordinator.query('select sum(month_used) as used from eval_counter')
      if (Number(rows[0].used) !== answered)
        throw new Error(`${answered} evals were answered, but ${rows[0].used} counted`)
    },
    async stop() {
      await Promise.all([coordinator, ...nodes.values()].map((pool) => pool.end()))
    },
  }
}

/** An organization, with the node that stores it. */
type Organization = { id: string; hash: Buffer; host: string; port: number }

async function readOrganizations(coordinator: pg.Pool): Promise<Organization[]> {
  const { rows } = await coordinator.query<{ id: string; hash: Buffer }>(
    'select organization_id as id, key_hash as hash from api_key',
  )
  const { rows: nodes } = await coordinator.query<{ id: string; host: string; port: number }>(
    `select id, p.nodename as host, p.nodeport as port from unnest($1::text[]) id
       join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('eval_counter', id)`,
    [rows.map(({ id }) => id)],
  )
  const nodeOf = new Map(nodes.map((node) => [node.id, node]))
  return rows.map((row) => ({ ...row, ...(nodeOf.get(row.id) as { host: string; port: number }) }))
}

function withNode(url: string, host: string, port: number): string {
  const node = new URL(url)
  node.host = `${host}:${port}`
  return node.href
}

function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: connectionsOfNode })
}
