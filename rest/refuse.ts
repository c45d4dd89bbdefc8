import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../src/core/errors.ts'
import { toDomainError } from '../src/database/outage.ts'
import { toBodyRefusal } from '../src/http/body.ts'
import { sendError } from '../src/http/reply.ts'
import type { Services } from '../src/operation/services.ts'

type Failed = { error: unknown; request: FastifyRequest; reply: FastifyReply }

/** Lets the operation refuse a wrong body: the refusal may have to be recorded, and other refusals come first. */
export async function refuseBody(services: Services, bodyLimitBytes: number, { error, request, reply }: Failed) {
  const refusal = toBodyRefusal(error, bodyLimitBytes) ?? (isBodyRefusal(error) ? error : null)
  if (!refusal || !request.admitted) return replyWithError(services, reply, error)
  try {
    await request.admitted.refuse(refusal)
    return replyWithError(services, reply, refusal)
  } catch (earlier) {
    return replyWithError(services, reply, earlier)
  }
}

function isBodyRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.status === 400 || error.status === 415)
}

export function replyWithError({ failures }: Services, reply: FastifyReply, error: unknown): FastifyReply {
  const failure = toDomainError(error)
  failures.log(failure, reply.request.id)
  return sendError(reply, failure)
}
