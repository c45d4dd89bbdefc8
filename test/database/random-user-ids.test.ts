import { decodeTime } from 'ulidx'
import { expect, it } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabaseBeforeMigration } from '../support/database-before.ts'
import { ulid } from '../support/matchers.ts'

const migration = '20261122000000_random_user_ids'
/** Ids of external identities as they were once computed, and a local account's id. */
const [outside, other, local] = [
  '7ZDHQ8XKWZ8YJ5J6A8Q2N9TV3C',
  '2ZDHQ8XKWZ8YJ5J6A8Q2N9TV3D',
  '01KAJ0000000000000000LLLLL',
]

const fill = `
  insert into organization (organization_id, name, created_at, updated_at) values ('o', 'O', now(), now());
  insert into user_account (user_id, email, email_key, issuer, subject, display_name, token_generation, created_at, updated_at)
  values ('${outside}', 'a@b.c', null, 'https://issuer', 'ada', 'Ada', 0, '2026-11-01T00:00:00.123Z', now()),
         ('${other}', null, null, 'https://issuer', 'bob', 'Bob', 0, now(), now()),
         ('${local}', 'a@b.c', 'a@b.c', null, null, 'Local', 3, now(), now());
  insert into member (organization_id, member_id, user_id, display_name, role, created_at, updated_at)
  select 'o', 'm-' || display_name, user_id, display_name, 'viewer', now(), now() from user_account;
  insert into user_membership select user_id, 'o', 'm-' || display_name from user_account;
  insert into user_session select 's-' || display_name, user_id, user_id::bytea, now(), now() from user_account;
  insert into console_session
  select 'o', 'c-' || display_name, 'm-' || display_name, user_id, null, user_id::bytea, 'ses', now(), now(), now()
    from user_account;
  insert into invite (organization_id, invite_id, role, token_hash, encrypted_token, bound_user_id, expires_at, created_at)
  select 'o', 'i-' || display_name, 'viewer', user_id::bytea, '', user_id, now(), now() from user_account;
  insert into user_audit_event (user_id, audit_event_id, occurred_at, request_id, service, method, route, params, ip, outcome, status)
  select user_id, 'a-' || display_name, now(), 'req', 'identity', 'POST', '/user', '{}', '::1', 'responded', 200 from user_account`

const tables = {
  member: 'member_id',
  user_membership: 'member_id',
  user_session: 'user_session_id',
  console_session: 'console_session_id',
  invite: 'invite_id',
  user_audit_event: 'audit_event_id',
}

it('the migration gives accounts of external identities random ids, updates references, and keeps local ids', async () => {
  const { url, client } = await createDatabaseBeforeMigration(migration)
  await client.query(fill)

  await migrate({ url })

  const { rows } = await client.query(`select display_name, user_id, token_generation from user_account`)
  const idOf = new Map(rows.map((row) => [row.display_name, row.user_id]))
  expect(idOf.get('Local')).toBe(local)
  expect(idOf.get('Ada')).toEqual(ulid)
  expect(decodeTime(idOf.get('Ada'))).toBe(Date.parse('2026-11-01T00:00:00.123Z'))
  expect(new Set([outside, other, ...idOf.values()]).size).toBe(5)
  expect(new Set(rows.map((row) => row.token_generation)).size).toBe(3)
  for (const [table, key] of Object.entries(tables)) {
    const column = table === 'invite' ? 'bound_user_id' : 'user_id'
    const owners = await client.query(`select substr(${key}, 3) as name, ${column} as id from ${table} order by 1`)
    const expected = ['Ada', 'Bob', 'Local'].map((name) => ({ name, id: idOf.get(name) }))
    expect([table, owners.rows]).toEqual([table, expected])
  }
})

it('the database allows only one change to an entry of a personal log: adding an owner that is missing', async () => {
  const { url, client } = await createDatabaseBeforeMigration(migration)
  await client.query(fill)
  await migrate({ url })
  const { rows } = await client.query(`select user_id from user_account where issuer is not null order by display_name`)
  const [ada, bob] = rows.map(({ user_id: id }) => id)
  await client.query(`
    insert into user_audit_event (user_id, audit_event_id, occurred_at, request_id, service, method, route, params, ip, outcome, status)
    values ('unknown_x', 'u', now(), 'req', 'identity', 'POST', '/user', '{}', '::1', 'responded', 404)`)
  const move = (from: string, change: string) =>
    client.query(`update user_audit_event set ${change} where user_id = '${from}'`)

  for (const refused of [
    move('unknown_x', `user_id = '${ada}', status = 200`),
    move('unknown_x', `user_id = 'unknown_y'`),
    move('unknown_x', `user_id = '${local}'`),
    move(ada, `user_id = '${bob}'`),
    move('unknown_x', 'status = 200'),
    client.query(`delete from user_audit_event where user_id = 'unknown_x'`),
  ]) {
    await expect(refused).rejects.toThrow(/cannot be changed or deleted/)
  }
  expect((await move('unknown_x', `user_id = '${ada}'`)).rowCount).toBe(1)
  await expect(move(ada, `user_id = 'unknown_x'`)).rejects.toThrow(/cannot be changed or deleted/)
})
