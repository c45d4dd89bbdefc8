import { GraphQLError } from 'graphql'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { notFound } from '../../src/core/errors.ts'
import { createRefusalOf } from '../../src/graphql/errors.ts'
import { startService } from '../support/service.ts'
import { expectRefusal } from './refusal.ts'

const service = await startService()

describe('what fails on our side', () => {
  const wrapped = (originalError: Error) => new GraphQLError('x', { originalError })

  it('is told without its cause, and logged once for all the fields that waited for it', () => {
    const logger = pino({ level: 'silent' })
    const logged = vi.spyOn(logger, 'error')
    const refusalOf = createRefusalOf(logger, 'req_1')
    const cause = new Error('secret of the database')

    const refusals = [refusalOf(wrapped(cause)), refusalOf(wrapped(cause)), refusalOf(wrapped(notFound('plan', 'x')))]

    expect(refusals.map(({ code }) => code)).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR', 'NOT_FOUND'])
    expect(refusals[0]?.message).not.toContain('secret')
    expect(logged).toHaveBeenCalledTimes(1)
    expect(logged).toHaveBeenCalledWith({ err: cause, requestId: 'req_1' }, refusals[0]?.message)
  })

  it('is 503 for a write that cannot be recorded, which does not run; reads and evals go on', async () => {
    const caller = await service.organization()
    await caller.rest('POST', '/org/features', { key: 'sso', name: 'SSO', kind: 'flag' })
    await caller.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    const query = service.database.pool.query.bind(service.database.pool) as (...args: unknown[]) => unknown
    const broken = vi.spyOn(service.database.pool, 'query').mockImplementation(((...args: unknown[]) => {
      const isEntry = (args[0] as { name?: string }).name === 'record-audit-event'
      return isEntry ? Promise.reject(new Error('the disk is full')) : query(...args)
    }) as never)

    const refused = await caller.graphql('mutation { deleteFeature(input: { key: "sso" }) }')
    const read = await caller.graphql('{ features { key } check(subscriberId: "ann", feature: "sso") { allowed } }')
    broken.mockRestore()

    expectRefusal(refused, 'deleteFeature', { code: 'SERVICE_UNAVAILABLE', status: 503, details: null })
    expect(read.body).toEqual({ data: { features: [{ key: 'sso' }], check: { allowed: false } } })
  })

  it('is 503 for the request as a whole when the caller cannot be looked up', async () => {
    const caller = await service.organization()
    const lookup = vi
      .spyOn(service.database.pool, 'query')
      .mockRejectedValueOnce(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }) as never)

    const answer = await caller.graphql('{ features { key } }')
    lookup.mockRestore()

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
