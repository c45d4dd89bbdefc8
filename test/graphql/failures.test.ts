import { GraphQLError } from 'graphql'
import { pino } from 'pino'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { notFound } from '../../src/core/errors.ts'
import { toRefusal } from '../../src/graphql/errors.ts'
import { createFailureLog } from '../../src/http/failure-log.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { expectRefusedField } from '../support/refusal.ts'
import { startService } from '../support/service.ts'

// In its own database, because creating a trigger locks the whole table.
const service = await startService({ DATABASE_URL: await createOwnDatabase() })

describe('a failure of the service', () => {
  const wrapped = (originalError: Error) => new GraphQLError('x', { originalError })

  it('is answered without its cause, and logged once for all fields that it affects', () => {
    const logger = pino({ level: 'silent' })
    const logged = vi.spyOn(logger, 'error')
    const failures = createFailureLog(logger)
    const refusalOf = (error: GraphQLError) => toRefusal(error, failures, 'req_1')
    const cause = new Error('secret of the database')

    const refusals = [refusalOf(wrapped(cause)), refusalOf(wrapped(cause)), refusalOf(wrapped(notFound('plan', 'x')))]

    expect(refusals.map(({ code }) => code)).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR', 'NOT_FOUND'])
    expect(refusals[0]?.message).not.toContain('secret')
    expect(logged).toHaveBeenCalledTimes(1)
    expect(logged).toHaveBeenCalledWith({ err: cause, requestId: 'req_1' }, 'a request failed')
  })

  it('is 503 for a write that cannot be recorded and does not run, while reads and evals are answered', async () => {
    const caller = await service.organization()
    await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const close = `close_log_of_${caller.organizationId.toLowerCase()}`
    await service.database.pool.query(`
      create function ${close}() returns trigger language plpgsql as $$ begin raise 'this log is closed'; end $$;
      create trigger ${close} before insert on audit_event for each row
        when (new.organization_id = '${caller.organizationId}') execute function ${close}()`)

    const refused = await caller.graphql('mutation { deleteFeature(input: { key: "sso" }) }')
    const read = await caller.graphql('{ features { key } check(subscriberId: "ann", feature: "sso") { allowed } }')
    await service.database.pool.query(`drop function ${close}() cascade`)

    expectRefusedField(refused, 'deleteFeature', 'SERVICE_UNAVAILABLE', null)
    expect(read.body).toEqual({ data: { features: [{ key: 'sso' }], check: { allowed: false } } })
  })

  it('is 503 for the whole request when the caller cannot be looked up', async () => {
    const proxy = await startDatabaseProxy(inject('databaseUrl'))
    onTestFinished(() => proxy.close())
    const caller = await (await startService({ DATABASE_URL: proxy.url })).organization()

    proxy.refuseConnections()
    const answer = await caller.graphql('{ features { key } }')
    proxy.open()

    expect(answer.status).toBe(503)
    expect(answer.body).toEqual({
      errors: [
        {
          message: expect.any(String),
          extensions: {
            type: 'api_error',
            code: 'SERVICE_UNAVAILABLE',
            requestId: answer.headers.get('x-request-id'),
            details: null,
            status: 503,
          },
        },
      ],
    })
  })
})
