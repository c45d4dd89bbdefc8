import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../src/core/errors.ts'
import { toDomainError } from '../src/database/outage.ts'
import { toBodyRefusal } from '../src/http/body.ts'
import { sendError } from '../src/http/reply.ts'
import type { Eval } from '../src/operation/operation.ts'
import type { Services } from '../src/operation/services.ts'

export type RefusesAs = Eval<string, unknown, unknown>['refusesAs']

type FailedRequest = { error: unknown; request: FastifyRequest; reply: FastifyReply; refusesAs?: RefusesAs }

/** Lets the operation refuse an invalid body, because it may have to record the refusal, or have another reason to refuse. */
export async function refuseBody(services: Services, bodyLimitBytes: number, failed: FailedRequest) {
  const { error, request, reply, refusesAs } = failed
  const refusal = toBodyRefusal(error, bodyLimitBytes) ?? (isBodyRefusal(error) ? error : null)
  if (!refusal || !request.admitted) return replyWithError(services, reply, error, refusesAs)
  try {
    await request.admitted.refuse(refusal)
    return replyWithError(services, reply, refusal, refusesAs)
  } catch (earlier) {
    return replyWithError(services, reply, earlier, refusesAs)
  }
}

function isBodyRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.status === 400 || error.status === 415)
}

export function replyWithError(
  { failures }: Pick<Services, 'failures'>,
  reply: FastifyReply,
  error: unknown,
  refusesAs?: RefusesAs,
): FastifyReply {
  const failure = toDomainError(error)
  failures.log(failure, reply.request.id)
  const foreign = refusesAs?.get(failure.code)
  if (!foreign) return sendError(reply, failure)
  return reply.code(foreign.status).send(foreign.toBody(failure, reply.request.params as Record<string, string>))
}
