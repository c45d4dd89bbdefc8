import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { onlyLine, run, runCommand } from '../start/server-process.ts'
import { startDeliveryTest } from '../support/delivery.ts'
import { countRows, fillAllTables } from '../support/fill-all-tables.ts'
import type { Caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const test = await startDeliveryTest({ WEBHOOK_RETRY_WAITS_SECONDS: '0' })
const env = { DATABASE_URL: test.url }
const { pool } = test.service.database

/** The tables that outlast an organization: a person's own log, and the installation's record of deletions. */
const keptTables = ['deleted_organization', 'user_audit_event']
const tables = inject('tablesWithOrganization').filter((table) => !keptTables.includes(table))

const argsOf = ({ organizationId }: Caller) => ['--organization', organizationId]
const commandOf = (script: string, caller: Caller, ...more: string[]) =>
  runCommand(script, [...argsOf(caller), ...more], env)

type Line = { kind: string; row: Record<string, unknown>; left_out?: Record<string, string[]> }

describe('exporting and deleting an organization', () => {
  it('exports every row of every table except secrets, and deletes them all, but nothing of other organizations', async () => {
    const worker = await test.worker()
    const [{ caller, person }, { caller: other }] = [await fillAllTables(test), await fillAllTables(test)]
    // It would move rows between the tables of the log while they are counted.
    await worker.stop()
    // The time when a member was last seen is written a little later.
    const settled = tables.filter((table) => table !== 'member_last_seen')
    const before = await countRows(test, settled, caller.organizationId)
    const ofOther = await countRows(test, settled, other.organizationId)
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])

    const exported = await commandOf('org-export', caller)
    const [head, ...lines] = exported.stdout
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line))
    expect(exported.stderr).toBe('')
    expect(head).toMatchObject({ kind: 'export', organization_id: caller.organizationId })
    expect(
      Object.fromEntries(settled.map((table) => [table, lines.filter(({ kind }) => kind === table).length])),
    ).toEqual(before)
    expect(head?.left_out).toEqual({
      api_key: ['key_hash'],
      console_session: ['session_hash'],
      invite: ['token_hash', 'encrypted_token'],
      kept_answer: ['request_hash', 'result'],
      webhook_endpoint: ['secret'],
    })
    for (const [table, columns] of Object.entries(head?.left_out ?? {}))
      for (const { kind, row } of lines)
        if (kind === table) expect(Object.keys(row)).not.toEqual(expect.arrayContaining(columns))
    expect(new Set(lines.map(({ row }) => row.organization_id))).toEqual(new Set([caller.organizationId]))

    // The record of an earlier deletion: the organization was moved back since.
    await pool.query(
      `insert into deleted_organization (organization_id, started_at, finished_at, rows) values ($1, now(), now(), 1000000)`,
      [caller.organizationId],
    )

    const deleted = await commandOf('org-delete', caller, '--yes')
    // The command waits for ten seconds, and reports its progress.
    expect(deleted).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(\w.* \(\d+ s\)\n)+$/) })

    expect(Object.entries(await countRows(test, tables, caller.organizationId)).filter(([, n]) => n > 0)).toEqual([])
    const { rows: jobs } = await pool.query(`select from pgboss.job where data ->> 'organizationId' = $1`, [
      caller.organizationId,
    ])
    expect(jobs).toEqual([])
    const { rows: records } = await pool.query('select * from deleted_organization')
    expect(records).toMatchObject([{ organization_id: caller.organizationId, finished_at: expect.any(Date) }])
    expect(Number(records[0].rows)).toBeGreaterThan(0)
    expect(Number(records[0].rows)).toBeLessThan(1_000_000)
    expect(await countRows(test, settled, other.organizationId)).toEqual(ofOther)
    expect((await caller.rest('GET', '/org')).status).toBe(401)
    expect((await person.rest('GET', '/user/organizations')).body).toEqual({ organizations: [] })
    expect((await person.rest('POST', `/user/organizations/${caller.organizationId}/sign-in`)).status).toBe(404)
    expect((await other.rest('GET', '/org')).status).toBe(200)
    expect(onlyLine(await commandOf('org-delete', caller, '--yes'))).toBe(
      `There is no organization ${caller.organizationId} in this database.`,
    )
  })

  it('causes 401 or 404 for later requests, and never 500 for running ones, and continues after it was killed', async () => {
    await test.worker()
    const { caller } = await fillAllTables(test)
    const seen = new Map<string, Set<number>>()
    let isOver = false
    const keepAsking = async (name: string, ask: () => Promise<{ status: number }>) => {
      const statuses = new Set<number>()
      seen.set(name, statuses)
      while (!isOver) {
        statuses.add((await ask()).status)
        await wait(20)
      }
    }
    const asking = [
      keepAsking('check', () => caller.rest('POST', '/org/subscribers/acme/entitlements/check', { feature: 'seats' })),
      keepAsking('snapshot', () => caller.rest('GET', '/org/subscribers/acme/entitlements')),
      keepAsking('read', () => caller.rest('GET', '/org')),
      keepAsking('list', () => caller.rest('GET', '/org/audit-events')),
      keepAsking('override', () =>
        caller.rest('PUT', '/org/subscribers/acme/overrides/sso', { kind: 'flag', allowed: true }),
      ),
      keepAsking('create', () => caller.rest('POST', '/org/subscribers', { subscriber_id: newId() })),
      keepAsking('graphql', async () => {
        const { body } = await caller.graphql('{ organization { name } subscriber(subscriberId: "acme") { name } }')
        return { status: body.errors?.[0]?.extensions.status ?? 200 }
      }),
    ]
    await until(() => seen.size === asking.length && [...seen.values()].every((statuses) => statuses.size > 0))

    const { child, ended } = run({ script: 'src/cli/org-delete.ts', args: [...argsOf(caller), '--yes'], env })
    const deleted = 'select from deleted_organization where organization_id = $1 and rows > 0'
    await until(async () => (await pool.query(deleted, [caller.organizationId])).rowCount === 1)
    child.kill('SIGKILL')
    await ended
    const { code } = await commandOf('org-delete', caller, '--yes')
    isOver = true
    await Promise.all(asking)

    expect(code).toBe(0)
    for (const statuses of seen.values()) {
      expect(statuses).toContain(401)
      expect([...statuses].filter((status) => ![200, 201, 401, 404].includes(status))).toEqual([])
    }
    expect(Object.entries(await countRows(test, tables, caller.organizationId)).filter(([, n]) => n > 0)).toEqual([])
  })

  it('reports in one line that the reader of the export has stopped reading', async () => {
    const { organizationId } = await test.service.organization()
    const { child, ended } = run({ script: 'src/cli/org-export.ts', args: ['--organization', organizationId], env })
    child.stdout?.destroy()

    expect(onlyLine(await ended)).toMatch(/^The output ended early, because it cannot be written: /)
  })

  it('requires --yes and an existing organization', async () => {
    const caller = await test.service.organization()
    const unknown = { ...caller, organizationId: newId() }

    expect(onlyLine(await commandOf('org-delete', caller))).toBe(
      '--yes is required: the organization and everything in it will be deleted forever.',
    )
    for (const failed of [await commandOf('org-delete', unknown, '--yes'), await commandOf('org-export', unknown)])
      expect(onlyLine(failed)).toBe(`There is no organization ${unknown.organizationId} in this database.`)
    expect((await caller.rest('GET', '/org')).status).toBe(200)
  })
})
