import { readFileSync } from 'node:fs'
import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { spanningStatements } from '../statements/spanning-statements.ts'
import { TenancyChecker } from '../statements/tenancy-checker.ts'
import { takeFaults } from '../statements/this-process.ts'
import { startService } from '../support/service.ts'

// test/statements/setup.ts checks every statement that the service sends during the whole run. These tests show what it
// detects.

beforeAll(() => loadModule())

const tables = ['subscriber', 'subscription', 'override', 'webhook_event', 'webhook_endpoint']

function faultsOf(text: string, values?: unknown[]): string[] {
  const checker = new TenancyChecker(tables)
  checker.check(text, values)
  return checker.takeFaults()
}

const statementsOfOneOrganization = [
  'select * from subscriber where organization_id = $1 and subscriber_id = $2',
  'select s.* from subscriber s join override o using (organization_id, subscriber_id) where o.organization_id = $1',
  'select 1 from subscriber s left join override o on o.organization_id = s.organization_id where s.organization_id = $1',
  `select 1 from subscriber s where s.organization_id = $1
      and exists (select from override o where o.organization_id = s.organization_id)`,
  `with held as (select * from subscriber where organization_id = $1 for update)
   update override o set "limit" = 1 from held where o.organization_id = held.organization_id`,
  'select 1 from subscriber where organization_id = $1 union all select 1 from override where organization_id = $1',
  'select 1 from subscriber where (organization_id = $1 and name = $2) or (organization_id = $1 and name is null)',
  'delete from override where (organization_id, subscriber_id) in (($1, $2), ($1, $3))',
  'insert into subscriber (organization_id, subscriber_id) values ($1, $2), ($1, $3) on conflict do nothing',
  `insert into webhook_event (organization_id, event_id) select e.organization_id, given.id
     from webhook_endpoint e cross join unnest($2::text[]) as given (id) where e.organization_id = $1`,
  'SELECT "public"."subscriber"."name" FROM "public"."subscriber" WHERE "public"."subscriber"."organization_id" IN ($1)',
  'select email from user_account where user_id = $1',
  'select id from pgboss.job where name = $1',
  'begin',
]

const spanningTexts = [
  'select * from subscriber where subscriber_id = $1',
  'select * from subscriber where organization_id > $1',
  'select * from subscriber where organization_id = any($1)',
  'select * from subscriber where organization_id = $1 or name = $2',
  'select * from subscriber where not (organization_id = $1)',
  'select 1 from subscriber s join override o using (subscriber_id) where s.organization_id = $1',
  'select 1 from subscriber s left join override o on s.organization_id = $1 and o.organization_id = $1',
  'select 1 from subscriber s where s.organization_id = $1 and exists (select from override o where o.organization_id <> $1)',
  'select (select count(*) from override) from subscriber where organization_id = $1',
  'with every as (select * from subscriber) select * from every where organization_id = $1',
  'select 1 from subscriber where organization_id = $1 union all select 1 from override',
  'select 1 from subscriber where exists (select from override where subscriber.organization_id = $1 and organization_id = $1)',
  'update override o set "limit" = 1 from subscriber s where s.organization_id = $1',
  'delete from override',
  'insert into subscriber (organization_id, subscriber_id) select id, $1 from unnest($2::text[]) as given (id)',
  'insert into subscriber (subscriber_id) values ($1)',
]

describe('a statement', () => {
  it.each(statementsOfOneOrganization)('is accepted if it concerns one organization: %s', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  it.each(spanningTexts)('is reported if it may concern several organizations: %s', (text) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^may concern several organizations in /)])
  })

  it.each([
    'truncate subscriber',
    'select * from nowhere',
    'update subscriber set organization_id = $1 where organization_id = $2',
  ])('is reported if the check does not understand it: %s', (text) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^is about /)])
  })

  it('is reported if its parameters name different organizations', () => {
    const text = 'select 1 from subscriber s join override o on o.organization_id = $2 where s.organization_id = $1'
    const checker = new TenancyChecker(tables)

    checker.check(text, ['a', 'a'])
    expect(checker.takeFaults()).toEqual([])

    checker.check(text, ['a', 'b'])
    expect(checker.takeFaults()).toEqual([expect.stringMatching(/^\$1, \$2 are different organizations/)])
  })
})

it('a statement that may concern several organizations is reported when the service sends it in this process', async () => {
  const { ownDatabase, database } = await startService()

  await ownDatabase.pool.query('select 17 from subscriber')
  await database.pool.query('select 18 from subscriber')

  expect(takeFaults()).toEqual([
    expect.stringContaining('may concern several organizations in subscriber:\nselect 17 from subscriber'),
  ])
})

describe('the list of statements that may concern several organizations', () => {
  it.each(spanningStatements)(
    'contains only statements that their files still send: $sent',
    ({ file, sent, source }) => {
      expect(readFileSync(file, 'utf8')).toContain(source ?? sent)
    },
  )
})
