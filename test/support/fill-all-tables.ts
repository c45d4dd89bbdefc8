import type { DeliveryTest } from './delivery.ts'
import { addMember, type Person, signUp } from './person.ts'
import { startReceiver } from './receiver.ts'
import { sendOnce } from './repeated.ts'
import { createSampleVendor } from './sample-vendor.ts'
import type { Caller } from './service.ts'
import { until } from './until.ts'

/** Inserts rows that would otherwise appear only under load or after some time. */
const rareRows = [
  `insert into audit_chain (organization_id) values ($1) on conflict do nothing`,
  `insert into audit_link values ($1, 1, '01ARZ3NDEKTSV4RRFFQ69G5FAV', false, '') on conflict do nothing`,
  `insert into audit_event_unchained values ($1, '01ARZ3NDEKTSV4RRFFQ69G5FAV')`,
  `insert into token_counter values ($1, 'acme', now(), 1)`,
  `insert into follower_count (organization_id, process_id, followers, told_at) values ($1, 'gone', 1, now())`,
  `insert into group_role values ($1, 'staff', 'viewer') on conflict do nothing`,
  `insert into limit_notice values ($1, 'rate', now())`,
  `insert into eval_usage_day values ($1, '2026-01-01', 7)`,
  `insert into feature_usage_day values ($1, 'sso', '2026-01-01', 7, 2, '[["acme", 2]]') on conflict do nothing`,
  `insert into stored_bytes (organization_id, cap) values ($1, 1000000000) on conflict do nothing`,
  `insert into past_start values ($1, '2026-01-01')`,
  `insert into webhook_lane (organization_id) values ($1) on conflict do nothing`,
]

/** Creates an organization with rows in every table: by the APIs, and a few by hand. The receiver of its webhook refuses. */
export async function fillAllTables({ service, settled }: DeliveryTest): Promise<{ caller: Caller; person: Person }> {
  const caller = await createSampleVendor(service)
  const receiver = await startReceiver(() => 500)
  const requestSuccessfully = async (...[method, path, body]: Parameters<Caller['rest']>) => {
    const { status, body: answer } = await caller.rest(method, path, body)
    if (status > 299) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
  }
  await requestSuccessfully('PUT', '/org/webhook', { url: receiver.url })
  await requestSuccessfully('POST', '/org/webhook/test')
  await sendOnce(service.url, caller, ['POST', '/org/subscribers', { subscriber_id: 'again' }])
  await requestSuccessfully('POST', '/org/invites', { role: 'viewer' })
  await requestSuccessfully('POST', '/org/features', { key: 'former', name: 'Former', kind: 'flag' })
  for (const allowed of [true, false])
    await requestSuccessfully('PUT', '/org/subscribers/acme/overrides/former', { kind: 'flag', allowed })
  await requestSuccessfully('DELETE', '/org/subscribers/acme/overrides/former')
  await requestSuccessfully('DELETE', '/org/features/former')
  const [person, former] = [await signUp(service), await signUp(service)]
  await addMember(caller, person, 'developer')
  const memberId = await addMember(caller, former, 'viewer')
  await requestSuccessfully('DELETE', `/org/members/${memberId}`)
  await person.rest('POST', `/user/organizations/${caller.organizationId}/sign-in`)
  await requestSuccessfully('GET', '/org/subscribers/acme/entitlements')
  for (const statement of rareRows) await service.database.pool.query(statement, [caller.organizationId])
  await settled(caller, 'failed')
  const { organizationId, memberId: callerId } = caller
  // The last use of the caller's key is written half a second after it.
  await until(() => service.database.prisma.memberLastSeen.count({ where: { organizationId, memberId: callerId } }))
  await receiver.close()
  return { caller, person }
}

/** How many rows of the organization each table has. */
export async function countRows(
  { service: { database } }: DeliveryTest,
  tables: readonly string[],
  organizationId: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await database.pool.query(`select count(*)::int as n from "${table}" where organization_id = $1`, [
      organizationId,
    ])
    counts[table] = rows[0].n
  }
  return counts
}
