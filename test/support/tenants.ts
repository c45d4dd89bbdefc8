import pg from 'pg'
import { ulid } from 'ulidx'
import { newApiKey } from '../../src/access/api-key.ts'
import { labelsByRole } from '../../src/access/roles.ts'

/** An organization with a key for each role. */
export type Tenant = {
  organizationId: string
  key: string
  keys: Record<string, string>
  headers: { 'x-api-key': string }
}

/** One organization, created directly in the database. */
export async function createTenantIn(databaseUrl: string): Promise<Tenant> {
  const tenants = new Tenants(databaseUrl)
  return tenants.create().finally(() => tenants.close())
}

/** Creates organizations directly in the database, quickly enough for a test or an attack. */
export class Tenants {
  readonly pool: pg.Pool

  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    this.pool.on('error', () => {})
  }

  /** `creatorId`: the person who created it, if any. */
  async create({ creatorId = null }: { creatorId?: string | null } = {}): Promise<Tenant> {
    const organizationId = ulid()
    await this.pool.query(
      `insert into organization (organization_id, name, creator_id, created_at, updated_at)
       values ($1, 'Tenant', $2, now(), now())`,
      [organizationId, creatorId],
    )
    await this.pool.query('insert into eval_counter (organization_id) values ($1)', [organizationId])
    const keys: Record<string, string> = {}
    for (const role of Object.keys(labelsByRole)) keys[role] = await this.#addKey(organizationId, role)
    const key = keys.admin as string
    return { organizationId, key, keys, headers: { 'x-api-key': key } }
  }

  async #addKey(organizationId: string, role: string): Promise<string> {
    const [id, { key, hash, prefix }] = [ulid(), newApiKey()]
    await this.pool.query(
      `insert into member (organization_id, member_id, service_account_id, display_name, role, created_at, updated_at)
       values ($1, $2, $2, 'tenant', $3, now(), now())`,
      [organizationId, id, role],
    )
    await this.pool.query(
      `insert into service_account (organization_id, service_account_id, member_id, name, created_at, updated_at)
       values ($1, $2, $2, 'tenant', now(), now())`,
      [organizationId, id],
    )
    await this.pool.query(
      `insert into api_key (organization_id, key_id, service_account_id, member_id, key_hash, key_prefix, name, created_at)
       values ($1, $2, $2, $2, $3, $4, 'tenant', now())`,
      [organizationId, id, hash, prefix],
    )
    return key
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}
