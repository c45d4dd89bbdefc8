import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { isDatabaseLate } from '../support/is-database-late.ts'
import { limitOf } from '../support/limit-of.ts'
import { testMasterKey } from '../support/master-key.ts'
import { startService } from '../support/service.ts'
import { logLines, type Running, startServer, temporaryFolder, untilStopping } from './server-process.ts'

const clients = 8

/** `npm run start:api` with two API processes. */
function startTwo(databaseUrlFile: string, env: Record<string, string> = {}): Promise<Running> {
  writeFileSync(databaseUrlFile, `${inject('databaseUrl')}\n`)
  return startServer({
    args: ['api'],
    env: {
      DATABASE_URL_FILE: databaseUrlFile,
      MASTER_KEY: testMasterKey,
      PROCESSES: '2',
      SHUTDOWN_GRACE_MS: '3000',
      EVAL_RATE_LIMIT_PER_SECOND: '1000000',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
}

type Outcome = { status: number | null; key: string }

type Load = {
  outcomes: Outcome[]
  /** Resolves when all sent requests are answered. */
  pause(): Promise<void>
  continueLoad(): void
  end(): Promise<Outcome[]>
}

/** Creates features until it is ended; a status of null is a connection that broke. */
function startLoad(url: string, apiKey: string): Load {
  const pool = new Pool(url, { connections: clients, pipelining: 1, headersTimeout: limitOf(20_000) })
  const outcomes: Outcome[] = []
  let isPaused = false
  let count = 0
  async function ask(): Promise<void> {
    while (!isPaused) {
      const key = `f-${count++}`
      outcomes.push({ key, status: await create(pool, apiKey, key) })
      // Pauses, so that starting processes get processor time.
      await wait(20)
    }
  }
  let asking: Promise<unknown>
  function continueLoad(): void {
    isPaused = false
    asking = Promise.all(Array.from({ length: clients }, ask))
  }
  async function pause(): Promise<void> {
    isPaused = true
    await asking
  }
  continueLoad()
  return {
    outcomes,
    pause,
    continueLoad,
    async end() {
      await pause()
      await pool.close()
      return outcomes
    },
  }
}

/** Repeats the request if the database was too late. */
async function create(pool: Dispatcher, apiKey: string, key: string): Promise<number | null> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ key, name: 'F', kind: 'flag' })
  try {
    for (;;) {
      const { statusCode, body: answer } = await pool.request({ method: 'POST', path: '/org/features', headers, body })
      if (!isDatabaseLate(statusCode, await answer.text())) return statusCode
    }
  } catch {
    return null
  }
}

/** Sends each request on a connection of its own, so that both processes get some. */
async function createOnConnections(count: number, url: string, apiKey: string): Promise<void> {
  for (let number = 0; number < count; number++) {
    const pool = new Pool(url)
    expect(await create(pool, apiKey, `m-${number}`)).toBe(201)
    await pool.close()
  }
}

/** The ids of the API processes, from the latest line of the log that has them. */
function pidsOf({ stdout }: Running): number[] {
  const line = stdout()
    .split('\n')
    .findLast((text) => text.includes('"pids"'))
  return line ? JSON.parse(line).pids : []
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('with PROCESSES=2', () => {
  const databaseUrlFile = join(temporaryFolder(), 'database-url')

  it('metrics are summed, SIGHUP and kills lose no answer, a failed restart replaces no process, and SIGTERM ends all', async () => {
    const service = await startService()
    const { key, organizationId } = await service.organization()
    const metricsPort = `${await findFreePort()}`
    const server = await startTwo(databaseUrlFile, { METRICS_PORT: metricsPort })
    const before = pidsOf(server)
    await createOnConnections(20, server.url, key)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/^entitlements_operations_total\{operation="createFeature",.*code="OK"\} 20$/m)
    expect(metrics).toMatch(/^entitlements_build_info\{.*\} 1$/m)
    const load = startLoad(server.url, key)
    const createMore = async () => {
      const answered = load.outcomes.length
      await expect.poll(() => load.outcomes.length).toBeGreaterThan(answered + 50)
    }
    await createMore()

    server.child.kill('SIGHUP')

    await expect.poll(server.stdout).toContain('the restart of the API processes has ended')
    const [first = 0, second = 0] = pidsOf(server)
    expect(new Set([...before, first, second]).size).toBe(4)
    await createMore()
    await load.pause()
    expect(new Set(load.outcomes.map(({ status }) => status))).toEqual(new Set([201]))
    // The sums still include the counts of the ended processes.
    const created = `entitlements_operations_total{operation="createFeature",api="rest",kind="write",code="OK"}`
    const now = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(now).toContain(`\n${created} ${20 + load.outcomes.length}\n`)
    load.continueLoad()
    await createMore()

    process.kill(first, 'SIGKILL')

    await expect.poll(() => pidsOf(server)).not.toContain(first)
    const [remainingPid, replacementPid = 0] = pidsOf(server)
    expect(remainingPid).toBe(second)
    await createMore()
    const outcomes = await load.end()
    const broken = outcomes.filter(({ status }) => status === null)
    expect(broken.length).toBeLessThanOrEqual(clients)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, ...broken.map(() => null)]))
    const rows = await service.database.prisma.feature.findMany({ where: { organizationId }, select: { key: true } })
    const stored = new Set(rows.map(({ key }) => key))
    expect(outcomes.filter(({ status, key }) => status === 201 && !stored.has(key))).toEqual([])
    expect(logLines(server)).toContainEqual(
      expect.objectContaining({ level: 50, endedPid: first, signal: 'SIGKILL', msg: expect.stringContaining('ended') }),
    )

    writeFileSync(databaseUrlFile, 'nothing that can be used')
    server.child.kill('SIGHUP')
    await expect.poll(server.stdout).toContain('a new API process could not start: the previous ones keep running')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect([second, replacementPid].filter(isAlive)).toEqual([second, replacementPid])

    server.child.kill('SIGTERM')
    await untilStopping(server)
    const { code, stderr } = await server.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^DATABASE_URL must be .*\n$/) })
    expect([...before, first, second, replacementPid].filter(isAlive)).toEqual([])
  })
})
