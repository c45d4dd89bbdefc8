import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { subscriberTokenPrefix } from '../../src/access/installation.ts'
import { moveOrganization } from '../../src/cli/move/move-organization.ts'
import { withClient } from '../../src/database/stored-tables.ts'
import { chainAllEntries } from '../audit-chain/chain.ts'
import { openStream } from '../changes/event-stream.ts'
import { onlyLine, root, run, runCommand } from '../start/server-process.ts'
import { createToken, tokenSubjectClient } from '../subscriber-tokens/token-subject.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { fillAllTables } from '../support/fill-all-tables.ts'
import { holdOrganization } from '../support/hold-locks.ts'
import { addMember, newAddress, type Person, personOf, signUp } from '../support/person.ts'
import { type Answer, type Caller, callerOf, send, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const [first, other] = [await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0' }), await startDeliveryTest()]
const env = { DATABASE_URL: first.url, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const argsOf = (organizationId: string, ...more: string[]) => [
  ...['--organization', organizationId, '--to', other.url, '--installation', 'b2'],
  ...more,
]
const move = ({ organizationId }: Pick<Caller, 'organizationId'>, ...more: string[]) =>
  runCommand('org-move', argsOf(organizationId, ...more), env)

const keptTables = ['deleted_organization', 'user_audit_event']
const tablesLeftOut = ['change', 'console_session', 'follower_count', 'token_counter', 'webhook_lane']
const tables = inject('tablesWithOrganization').filter((table) => !keptTables.includes(table))

/**
 * All rows of the organization except those that each database counts for itself, and those that are written from time to time.
 */
async function rowsOf({ database }: TestService, organizationId: string): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const table of tables) {
    const found = await database.pool.query(
      `select to_jsonb(stored) - 'sequence' - 'last_used_at' - 'moving_until' as row from ${table} stored
        where organization_id = $1 order by (to_jsonb(stored) - 'sequence')::text collate "C"`,
      [organizationId],
    )
    rows[table] = found.rows.map(({ row }) => row)
  }
  return rows
}

const worker = await first.worker()

describe('npm run org:move', () => {
  it('loses no answered write and answers no eval wrongly, however often it is killed', async () => {
    const vendor = await first.vendor()
    const { organizationId, receiver } = vendor
    const there = callerOf(other.service.url, vendor)
    const delivering = await other.worker()
    const token = await createToken(vendor)
    const { cursor } = (await vendor.rest('GET', '/org/changes')).body
    const stream = await openStream(`${first.service.url}/org/changes`, { 'x-api-key': vendor.key })
    const load = startLoad(vendor, there)
    await until(() => load.written() > 3)

    // Locks the organization's row, so that the command cannot finish before its connection is cut.
    const release = await holdOrganization(first.service.database.pool, organizationId)
    const cut = run({ script: 'src/cli/org-move.ts', args: argsOf(organizationId), env })
    await until(() => cut.stderr().includes('are refused from now on'))
    await other.service.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'entitlements-service move'`,
    )
    await release()
    expect((await cut.ended).code).toBe(1)
    expect(cut.stderr()).toMatch(/…\nA database did not answer \(.+\)\. Run the command again\.\n$/)

    // Kills the command at its start and in each of its steps, after a random delay. Once past the switch, it copies no more.
    const lastStep = 'now serves the organization'
    for (const step of ['', 'are refused from now on', 'Copied', 'Copied', lastStep]) {
      const { child, stderr, ended } = run({ script: 'src/cli/org-move.ts', args: argsOf(organizationId), env })
      await until(() => [step, lastStep].some((line) => stderr().includes(line)))
      await wait(Math.random() * 60)
      child.kill('SIGKILL')
      expect((await ended).signal).toBe('SIGKILL')
    }
    const result = await move(vendor)
    expect(result.code, result.stderr).toBe(0)
    expect(result.stdout).toContain(`${vendor.key.slice(0, 12)} b2\n`)
    const written = load.written()
    await until(() => load.written() > written + 3)
    const last = await load.stop()

    expect(load.wrong).toEqual([])
    const [check] = await Promise.all([
      there.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' }),
    ])
    expect(check.body.limit).toBe(last)
    expect((await tokenSubjectClient(other.service, token).snapshot()).status).toBe(200)
    await until(() => stream.hasEnded())
    expect((await there.rest('GET', `/org/changes?after=${cursor}`)).body).toMatchObject({ changes: [], reset: true })
    // Every answered write has its event, in the order of the writes; an event may be sent twice, as delivery is at least once.
    const limits = (await other.settled(vendor, 'delivered')).length
    expect(limits).toBeGreaterThanOrEqual(last)
    const firstSeen = [...new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).id))]
    const { rows } = await other.service.database.pool.query(
      'select event_id from webhook_event where organization_id = $1 order by sequence',
      [organizationId],
    )
    expect(firstSeen).toEqual(rows.map(({ event_id }) => event_id))
    await until(
      async () =>
        (
          await other.service.database.pool.query('select from audit_event_unchained where organization_id = $1', [
            organizationId,
          ])
        ).rows.length === 0,
    )
    const verified = await runCommand('audit-verify', ['--database', '--organization', organizationId], {
      ...env,
      DATABASE_URL: other.url,
    })
    expect(verified, verified.stdout).toMatchObject({ code: 0 })
    await delivering.stop()
  })

  it('moves every row of every table, and leaves behind only the keys, so that requests with them get 503', async () => {
    const { caller, person } = await fillAllTables(first)
    const { organizationId } = caller
    const { pool } = first.service.database
    const member = await first.service.member(organizationId, 'evaluator')
    await other.service.organization()
    const answer = await caller.rest('GET', '/org/eval-usage')
    await worker.stop()
    const before = await rowsOf(first.service, organizationId)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

    const result = await move(caller, '--reroute', `sed 's/^/rerouted /'`)

    expect(result.code, result.stderr).toBe(0)
    // The proxy gets the lines at the switch: its requests do not wait for the deletion.
    const rerouted = result.stdout.replaceAll(/^/gm, 'rerouted ').replace(/rerouted $/, '')
    expect(result.stderr).toMatch(new RegExp(`moment …\n${rerouted}.*Deleting its rows here`))
    expect(result.stdout.trim().split('\n').sort()).toEqual(
      [
        `# ${organizationId}`,
        ...[caller, member].map(({ key }) => `${key.slice(0, 12)} b2`),
        `${subscriberTokenPrefix('', organizationId)} b2`,
      ].sort(),
    )
    const emptied = Object.fromEntries(tablesLeftOut.map((table) => [table, []]))
    const moved = await rowsOf(other.service, organizationId)
    expect(moved).toEqual({ ...before, ...emptied, organization: moved.organization })
    expect(moved.organization).toMatchObject([{ ...(before.organization?.[0] as object), creator_id: null }])
    const after = Object.entries(await rowsOf(first.service, organizationId)).filter(([, rows]) => rows.length > 0)
    expect(after.map(([table]) => table).sort()).toEqual(['api_key', 'member', 'organization', 'service_account'])

    const there = callerOf(other.service.url, caller)
    expect((await there.rest('GET', '/org/eval-usage')).body).toEqual(answer.body)
    for (const [method, path] of [
      ['GET', '/org'],
      ['GET', '/org/subscribers/acme/entitlements'],
      ['POST', '/org/subscribers'],
    ] as const) {
      const refused = await caller.rest(method, path, method === 'POST' ? { subscriber_id: 'late' } : undefined)
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    expect((await there.rest('POST', '/org/subscribers', { subscriber_id: 'late' })).status).toBe(201)
    // The person's account was copied; sign-ins here were not.
    expect((await person.rest('GET', '/user/organizations')).body).toEqual({ organizations: [] })
    const { rows } = await other.service.database.pool.query('select email from user_account where user_id = $1', [
      person.userId,
    ])
    expect(rows).toHaveLength(1)
    expect((await pool.query('select from user_account where user_id = $1', [person.userId])).rows).toHaveLength(1)
  })

  it('leaves behind an organization that other commands refuse to change, export or delete, and the guide deletes', async () => {
    const caller = await first.service.organization()
    const { organizationId } = caller
    const { pool } = first.service.database
    await moveWithoutCommand(organizationId)

    const refusal = `The organization ${organizationId} is being moved to another installation, or has been moved: run this there.`
    const own = ['--organization', organizationId]
    expect(onlyLine(await runCommand('org-key', own, env))).toBe(refusal)
    expect(onlyLine(await runCommand('org-limits', [...own, '--rate', '7'], env))).toBe(refusal)
    expect(onlyLine(await runCommand('org-export', own, env))).toBe(refusal)
    expect(onlyLine(await runCommand('org-delete', [...own, '--yes'], env))).toBe(refusal)
    const { rows } = await pool.query('select from eval_counter where organization_id = $1', [organizationId])
    expect(rows).toEqual([])
    expect((await caller.rest('GET', '/org')).status).toBe(503)
    await pool.query(statementsToDeleteTheRest(organizationId))
    expect((await caller.rest('GET', '/org')).status).toBe(401)
    expect(Object.values(await rowsOf(first.service, organizationId)).flat()).toEqual([])
  })

  it('marks an organization of people only, without service accounts, as moved in the source too', async () => {
    const ada = await signUp(first.service)
    const created = await ada.rest('POST', '/user/organizations', { name: 'Acme' })
    const organizationId: string = created.body.organization_id
    await moveWithoutCommand(organizationId)

    const own = ['--organization', organizationId]
    const refusal = / is being moved to another installation, or has been moved: run this there\.$/
    expect(onlyLine(await runCommand('org-key', own, env))).toMatch(refusal)
    expect(onlyLine(await runCommand('org-delete', [...own, '--yes'], env))).toMatch(refusal)
    const { member } = await rowsOf(first.service, organizationId)
    expect(member).toEqual([expect.objectContaining({ user_id: null, display_name: '' })])
    expect((await ada.rest('GET', '/user/organizations')).body).toEqual({ organizations: [] })
    await first.service.database.pool.query(statementsToDeleteTheRest(organizationId))
    expect(Object.values(await rowsOf(first.service, organizationId)).flat()).toEqual([])
  })

  it('refuses, in the source, an organization that has been moved and that the target no longer has', async () => {
    const caller = await first.service.organization()
    const { organizationId } = caller
    const there = { ...env, DATABASE_URL: other.url }
    const stopped = moveWithoutCommand(organizationId, { reroute: () => Promise.reject(new Error('stopped')) })
    await expect(stopped).rejects.toThrow('stopped')
    expect((await runCommand('org-delete', ['--organization', organizationId, '--yes'], there)).code).toBe(0)

    const refusal = `The organization ${organizationId} has been moved from here, and the database of --to does not have it: it was moved on, or deleted. If it was moved on, give --to the database that has it now. If it was deleted, delete the rows that are left here, as docs/operations/groups.md describes.`
    expect(onlyLine(await move(caller))).toBe(refusal)
    // As version 0.2.0 left it behind.
    const { pool } = first.service.database
    await pool.query(`update member set moving_until = '9999-01-01Z' where organization_id = $1`, [organizationId])
    await pool.query('delete from eval_counter where organization_id = $1', [organizationId])
    expect(onlyLine(await move(caller))).toBe(refusal)
    expect((await caller.rest('GET', '/org')).status).toBe(503)
    expect(Object.values(await rowsOf(other.service, organizationId)).flat()).toEqual([])
  })

  it('asks whether people with the same e-mail are the same, and moves the organization back', async () => {
    const caller = await first.service.organization()
    const { organizationId } = caller
    const there = callerOf(other.service.url, caller)
    const ada = await signUp(first.service)
    await addMember(caller, ada, 'admin')
    const adaThere = await signUp(other.service, { email: ada.email })
    await other.service.organization()

    expect(onlyLine(await move(caller))).toBe(
      `These people have accounts with the same e-mail at the other installation, which may be somebody else's: ${ada.email}. If they are the same people, repeat the command with --same-people; otherwise remove them from the organization first.`,
    )
    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })).status).toBe(201)
    await moveWithoutCommand(organizationId, { samePeople: true })

    const organizationsOf = async (person: Person) =>
      (await person.rest('GET', '/user/organizations')).body.organizations.map(
        (each: { organization_id: string }) => each.organization_id,
      )
    expect([await organizationsOf(ada), await organizationsOf(adaThere)]).toEqual([[], [organizationId]])
    expect((await there.rest('GET', '/org/subscribers/acme')).status).toBe(200)

    const back = await runCommand(
      'org-move',
      [
        ...['--organization', organizationId, '--to', first.url, '--installation', 'first', '--same-people'],
        ...['--reroute', 'exit 3'],
      ],
      { ...env, DATABASE_URL: other.url },
    )
    expect(back).toMatchObject({ code: 1, stdout: expect.stringContaining(`${caller.key.slice(0, 12)} first\n`) })
    expect(back.stderr).toMatch(/The --reroute command exited with 3\..*\n$/)
    expect([await organizationsOf(ada), await organizationsOf(adaThere)]).toEqual([[organizationId], []])
    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'globex' })).status).toBe(201)
    expect((await there.rest('GET', '/org')).status).toBe(503)
  })

  it('ends no sign-in of a person who came to the other installation by an earlier move', async () => {
    const [earlier, later] = [await first.service.organization(), await first.service.organization()]
    const ada = await signUp(first.service)
    await addMember(earlier, ada, 'admin')
    await addMember(later, ada, 'viewer')
    await moveWithoutCommand(earlier.organizationId)
    const signedIn = await send(`${other.service.url}/user/sign-in`, 'POST', ada, newAddress())
    const adaThere = personOf(other.service, { ...ada, token: signedIn.body.token })

    await moveWithoutCommand(later.organizationId)

    const { status, body } = await adaThere.rest('GET', '/user/organizations')
    expect(status).toBe(200)
    expect(body.organizations).toMatchObject([earlier, later].map((each) => ({ organization_id: each.organizationId })))
  })

  it('moves the counts by feature, including checks that were answered while the rows were copied', async () => {
    const vendor = await first.vendor()
    const { organizationId } = vendor
    const { pool } = first.service.database
    await pool.query(
      `insert into feature_usage_day (organization_id, feature_key, date, granted, denied)
       values ($1, 'seats', (now() at time zone 'UTC')::date, 3, 0), ($1, 'seats', '2026-01-01', 7, 0)`,
      [organizationId],
    )
    // Evals are answered until the members are marked as moved.
    const interfere = () => pool.query('update feature_usage_day set granted = 5 where granted = 3')
    await moveWithoutCommand(organizationId, { interfere })

    const { rows } = await other.service.database.pool.query(
      'select granted::int from feature_usage_day where organization_id = $1 order by date',
      [organizationId],
    )
    expect(rows).toEqual([{ granted: 7 }, { granted: 5 }])
  })

  it('moves an organization that `org:delete` refuses to delete while the move runs', async () => {
    const caller = await first.service.organization()
    const { organizationId } = caller
    let refused: string | undefined
    const interfere = async () => {
      refused = onlyLine(await runCommand('org-delete', ['--organization', organizationId, '--yes'], env))
    }
    await moveWithoutCommand(organizationId, { interfere })

    expect(refused).toMatch(/ is being moved to another installation, or has been moved: run this there\.$/)
    expect((await callerOf(other.service.url, caller).rest('GET', '/org')).status).toBe(200)
  })

  it('moves nothing if the organization is being deleted, or lost its members while the mark had expired', async () => {
    const [deleting, deleted] = [await first.service.organization(), await first.service.organization()]
    const { pool } = first.service.database
    await pool.query('insert into deleted_organization (organization_id, started_at) values ($1, now())', [
      deleting.organizationId,
    ])

    expect(await move(deleting)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The organization \w+ is being deleted, so nothing was moved\. If org:delete was stopped, run it again\.$/m,
      ),
    })
    const deleteMembers = () => pool.query('delete from member where organization_id = $1', [deleted.organizationId])
    const moving = moveWithoutCommand(deleted.organizationId, { interfere: deleteMembers })
    await expect(moving).rejects.toThrow(/ has been deleted, so nothing/)
    for (const { organizationId } of [deleting, deleted])
      expect((await rowsOf(other.service, organizationId)).organization).toEqual([])
  })

  it('deletes its copies at the target if an error stops it, and until then `audit:verify` there only notes them', async () => {
    const caller = await first.service.organization()
    const { organizationId } = caller
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'acme' })
    await chainAllEntries(first.service.database.pool, organizationId)
    const there = { ...env, DATABASE_URL: other.url }
    const runs: Awaited<ReturnType<typeof runCommand>>[] = []
    const interfere = async () => {
      for (const only of [[], ['--organization', organizationId]])
        runs.push(await runCommand('audit-verify', ['--database', ...only], there))
      throw new Error('stopped')
    }
    const stopped = moveWithoutCommand(organizationId, { interfere })

    await expect(stopped).rejects.toThrow('stopped')
    const [verified, requested] = runs
    // The rows with which other tests fill all tables are findings.
    expect(verified?.stdout).not.toContain(organizationId)
    expect(verified?.stderr).toContain(
      `The organization ${organizationId} was not checked: it is being moved here, or its move did not finish. If no move is running, run the move again.\n`,
    )
    expect(requested).toMatchObject({ code: 1, stdout: expect.stringContaining(organizationId) })
    expect(Object.values(await rowsOf(other.service, organizationId)).flat()).toEqual([])
    expect((await caller.rest('POST', '/org/subscribers', { subscriber_id: 'globex' })).status).toBe(201)
  })

  it("refuses a key with the same prefix as another organization's key, and the source database as the target", async () => {
    const [caller, neighbour] = [await first.service.organization(), await first.service.organization()]
    const to = (url: string) => ['--organization', caller.organizationId, '--to', url, '--installation', 'b2']
    expect(onlyLine(await runCommand('org-move', to(first.url), env))).toBe(
      '--to is the database that the organization is in.',
    )
    const prefix = caller.key.slice(0, 12)
    await first.service.database.pool.query('update api_key set key_prefix = $2 where organization_id = $1', [
      neighbour.organizationId,
      prefix,
    ])

    expect(onlyLine(await move(caller))).toBe(
      `A key of another organization has the same prefix as a key of this one (${prefix}): replace and revoke one of them first.`,
    )
    expect((await caller.rest('GET', '/org')).status).toBe(200)
  })
})

/** The statements of the guide that delete the rows which a move leaves behind. */
function statementsToDeleteTheRest(organizationId: string): string {
  const guide = readFileSync(join(root, 'docs/operations/groups.md'), 'utf8')
  const [, statements = ''] = guide.match(/```sql\n(begin;[^`]+)```/) ?? []
  return statements.replaceAll(`'ID'`, `'${organizationId}'`)
}

type Moving = { interfere?: () => Promise<unknown>; reroute?: () => Promise<void>; samePeople?: boolean }

/**
 * Moves the organization, without the command's wait for running requests. Calls `interfere` right before its members are marked
 * as moved, and `reroute` after the switch.
 */
function moveWithoutCommand(
  organizationId: string,
  { interfere = async () => {}, reroute = async () => {}, samePeople = false }: Moving = {},
): Promise<number> {
  return withClient({ url: first.url, purpose: 'move' }, (source) => {
    const query = source.query.bind(source)
    const queryAndInterfere = async (text: string | pg.QueryConfig, values?: unknown[]) => {
      if (String(text).includes(`moving_until = '9999-01-01`)) await interfere()
      return query(text as string, values)
    }
    Object.assign(source, { query: queryAndInterfere })
    return withClient({ url: other.url, purpose: 'move' }, (target) =>
      moveOrganization({
        ...{ organizationId, samePeople, source, target },
        sourceDatabase: first.service.database,
        targetDatabase: other.service.database,
        log() {},
        show() {},
        reroute,
        // No request is running.
        requestMs: 0,
      }),
    )
  })
}

/** The pause between requests, which leaves processor time to the commands. */
const pauseMs = 10

/**
 * Writes one number after another, and checks at the same time. Each request goes to the service that a proxy would choose:
 * `here`, or after a 503, `there`.
 */
function startLoad(here: Caller, there: Caller) {
  let [sent, answered, isOver] = [0, 0, false]
  const wrong: unknown[] = []
  const ask = async (...request: Parameters<Caller['rest']>): Promise<Answer> => {
    for (;;) {
      const answer = await here.rest(...request)
      if (answer.status !== 503) return answer
      if (answer.headers.get('retry-after') === null) wrong.push(['no Retry-After', answer.body])
      const elsewhere = await there.rest(...request)
      // A proxy sends no requests `there` before it has the lines of the command.
      if (elsewhere.status !== 401) return elsewhere
      await wait(50)
    }
  }
  const write = async () => {
    while (!isOver) {
      const limit = ++sent
      const answer = await ask('PUT', '/org/subscribers/acme/overrides/seats', { kind: 'limit', limit })
      if (answer.status === 200 || answer.status === 201) answered = limit
      else if (answer.status !== 503) wrong.push(['write', answer.status, answer.body])
      await wait(pauseMs)
    }
  }
  const check = async () => {
    while (!isOver) {
      await wait(pauseMs)
      const atLeast = answered
      const answer = await ask('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' })
      if (answer.status === 503) continue
      const isRight = answer.status === 200 && answer.body.limit >= atLeast && answer.body.limit <= sent
      if (!isRight) wrong.push(['check', answer.status, answer.body, atLeast, sent])
    }
  }
  const running = Promise.all([write(), check(), check()])
  return {
    wrong,
    written: () => answered,
    async stop() {
      isOver = true
      await running
      return answered
    },
  }
}
