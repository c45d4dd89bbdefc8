import { beforeEach, describe, expect, it } from 'vitest'
import { type Caller, type LogEntry, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { vendor } from '../support/vendor.ts'

const log: LogEntry[] = []
const service = await startService({ LOG_LEVEL: 'warn', SLOW_REQUEST_MS: '3600000' }, log)
const allLines: LogEntry[] = []
const slow = await startService({ LOG_LEVEL: 'debug', SLOW_REQUEST_MS: '1' }, allLines)

let caller: Caller
beforeEach(async () => {
  caller = await service.organization()
  log.length = 0
  allLines.length = 0
})

/** Leaves out the lines about background work, which may fail on a busy machine. */
const linesOfRequests = () => log.filter(({ requestId }) => requestId !== undefined)

const fieldsOf = ({ operation, api, organizationId, code, status }: LogEntry) => ({
  operation,
  api,
  organizationId,
  code,
  status,
})

describe('the log', () => {
  it('has one line at warn for each request that is refused, in both APIs', async () => {
    const { organizationId } = caller
    const answer = await caller.rest('GET', '/org/features/sso')
    await caller.graphql('{ feature(key: "sso") { key } }')
    await caller.rest('GET', '/org/features')

    expect(linesOfRequests().map(fieldsOf)).toEqual([
      { operation: 'feature', api: 'rest', organizationId, code: 'NOT_FOUND', status: 404 },
      { operation: 'feature', api: 'graphql', organizationId, code: 'NOT_FOUND', status: 404 },
    ])
    expect(linesOfRequests()[0]).toMatchObject({
      level: 40,
      msg: 'a request was refused',
      requestId: answer.headers.get('x-request-id'),
      durationMs: expect.any(Number),
    })
  })

  it('limits the lines of identical refusals, but not of different ones', async () => {
    for (let number = 0; number < 8; number++) await caller.rest('GET', '/org/features/sso')
    await caller.rest('GET', '/org/plans/pro')

    expect(linesOfRequests().map(({ operation }) => operation)).toEqual([...Array(5).fill('feature'), 'plan'])
  })

  it('has a line at debug for each request, and a line with the times of its statements for each slow request', async () => {
    const caller = await slow.organization()
    await vendor(caller).feature('sso')

    const linesOfWrite = () => allLines.filter(({ operation }) => operation === 'createFeature')
    // The lines may come after the answer.
    await until(() => linesOfWrite().length === 2)
    const ofWrite = linesOfWrite()
    expect(ofWrite.map(({ level, msg }) => [level, msg])).toEqual([
      [20, 'a request'],
      [40, 'a slow request'],
    ])
    const { statements } = ofWrite[1] as unknown as { statements: { statement: string; ms: number | null }[] }
    const names = statements.map(({ statement }) => statement)
    expect(names).toEqual(
      expect.arrayContaining(['BEGIN', 'COMMIT', expect.stringMatching(/^record-organization-pending/)]),
    )
    expect(statements.every(({ ms }) => ms !== null && ms >= 0)).toBe(true)
    expect(JSON.stringify(allLines)).not.toContain(caller.key)
  })
})
