import type pg from 'pg'
import { StartupError } from '../../core/startup-error.ts'

/** A row of the database as JSON. */
type Row = Record<string, unknown>

/** Maps user ids here to user ids at the other installation, for members and for the people to whom invites are bound. */
export type People = ReadonlyMap<string, string>

type Account = { user_id: string; email: string | null; issuer: string | null; other: string | null; isSame: boolean }

const userIdsOfOrganization = `
  select user_id from member where organization_id = $1 and user_id is not null
   union select bound_user_id from invite where organization_id = $1 and bound_user_id is not null`

/**
 * A person has an account in each installation. An account with the same id was copied by an earlier move, and an account with
 * the same issuer and subject belongs to the same person. Local accounts with the same e-mail may belong to two people: nobody
 * has proved the address. Only the operator can say that they are the same.
 */
export async function matchPeople(
  source: pg.Client,
  target: pg.Client,
  { organizationId, samePeople }: { organizationId: string; samePeople: boolean },
): Promise<People> {
  const { rows } = await source.query<{ account: Row }>(
    `select to_jsonb(user_account) as account from user_account where user_id in (${userIdsOfOrganization})`,
    [organizationId],
  )
  const { rows: accounts } = await target.query<Account>(
    `select given.user_id, given.email, given.issuer, there.user_id as other,
            there.user_id is not distinct from given.user_id or given.issuer is not null as "isSame"
       from jsonb_populate_recordset(null::user_account, $1) given
       left join lateral (
         select user_id from user_account
          where user_account.user_id = given.user_id or user_account.email_key = given.email_key
             or user_account.issuer = given.issuer and user_account.subject = given.subject
          order by user_account.user_id = given.user_id desc limit 1) there on true`,
    [JSON.stringify(rows.map(({ account }) => account))],
  )
  const uncertain = accounts.filter(({ other, isSame }) => other !== null && !isSame)
  if (uncertain.length > 0 && !samePeople) {
    throw new StartupError(
      `These people have accounts with the same e-mail at the other installation, which may be somebody else's: ${uncertain
        .map(({ email }) => email)
        .join(
          ', ',
        )}. If they are the same people, repeat the command with --same-people; otherwise remove them from the organization first.`,
    )
  }
  return new Map(accounts.map(({ user_id, other }) => [user_id, other ?? user_id]))
}

/** Copies accounts that the other installation does not have, without their sign-ins: tokens from here are invalid there. */
export async function copyPeople(source: pg.Client, target: pg.Client, people: People): Promise<void> {
  const missing = [...people].filter(([here, there]) => here === there).map(([here]) => here)
  const copy = async (table: string, ids: readonly string[]) => {
    const { rows } = await source.query<{ row: Row }>(
      `select to_jsonb(stored) as row from ${table} stored where user_id = any($1)`,
      [ids],
    )
    const { rows: copied } = await target.query<{ user_id: string }>(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1) on conflict do nothing
       returning user_id`,
      [JSON.stringify(rows.map(({ row }) => row))],
    )
    return copied.map(({ user_id }) => user_id)
  }
  // An account that an earlier move copied keeps its password and its sign-ins.
  const added = await copy('user_account', missing)
  await copy('user_password', added)
  await target.query('update user_account set token_generation = gen_random_uuid() where user_id = any($1)', [added])
}

/** The columns that name people, by table. */
const personColumns: Record<string, string> = {
  organization: 'creator_id',
  member: 'user_id',
  user_membership: 'user_id',
  invite: 'bound_user_id',
}

/** A row's JSON as the other installation stores it: with the ids of people there, and without the mark on moving members. */
export function toTargetRow(table: string, json: string, people: People): string {
  const column = personColumns[table]
  if (column === undefined) return json
  const row: Row = JSON.parse(json)
  const named = { ...row, [column]: people.get(row[column] as string) ?? null }
  return JSON.stringify(table === 'member' ? { ...named, moving_until: null } : named)
}
