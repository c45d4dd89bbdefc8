import {
  type AnyCode,
  codeOf,
  errorBodySchema,
  errorName,
  isForeignCode,
  statusOf,
} from '../../src/core/error-answer.ts'
import { findReadOperation } from '../../src/modules/find-read-operation.ts'
import { acceptsIdempotencyKey, isKeptRefusal, replayedHeader } from '../../src/operation/idempotent-request.ts'
import { kindOf } from '../../src/operation/kinds.ts'
import { type AnyOperation, addsStoredData } from '../../src/operation/operation.ts'
import type { Schemas } from './schemas.ts'

/** The codes with which an operation may be refused, by status: the common codes, the codes of its kind, and its own. */
export function refusalsOf(operation: AnyOperation): Map<number, AnyCode[]> {
  const codes: AnyCode[] = [
    ...commonCodes,
    ...refusalsOfCaller(operation),
    ...(kindOf(operation).isRecorded(operation) ? (['RATE_LIMITED'] as const) : []),
    ...('labels' in operation ? (['FORBIDDEN'] as const) : []),
    ...(operation.method === 'GET' ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(canFailValidation(operation) ? (['VALIDATION_ERROR'] as const) : []),
    ...(operation.route.includes('{') || mayBeDeletedMeanwhile(operation) ? (['NOT_FOUND'] as const) : []),
    ...(addsData(operation) || acceptsIdempotencyKey(operation) ? (['CONFLICT'] as const) : []),
    ...(operation.refusals ?? []),
  ]
  const refusesAs = operation.kind === 'eval' ? operation.refusesAs : undefined
  const sentCodes = new Set(codes.map((code) => refusesAs?.get(codeOf(code)) ?? code))
  const byStatus = Map.groupBy(sentCodes, statusOf)
  return new Map([...byStatus].toSorted(([a], [b]) => a - b))
}

/** Codes that depend on the caller: sign-ins from pages of other sites are forbidden, and open reads have a rate limit. */
function refusalsOfCaller({ kind }: AnyOperation): AnyCode[] {
  if (kind === 'open_read') return ['RATE_LIMITED']
  return kind === 'sign_in' ? ['FORBIDDEN'] : ['UNAUTHORIZED']
}

/** Any request may have headers that are invalid or too large, or arrive while the database is unavailable. */
const commonCodes = ['INVALID_JSON', 'BODY_TOO_LARGE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const

/** Whether the operation is refused when the organization's storage is full. */
export function addsData(operation: AnyOperation): boolean {
  return (operation.kind === 'write' || operation.kind === 'bulk_write') && addsStoredData(operation)
}

/** A repetition whose answer was too large to store reads the object again, which may be deleted by then. */
function mayBeDeletedMeanwhile(operation: AnyOperation): boolean {
  return acceptsIdempotencyKey(operation) && findReadOperation(operation.answer) !== null
}

/** A body that is not an object is refused even if the operation reads nothing from it. */
function canFailValidation({ method, input }: AnyOperation): boolean {
  return method !== 'GET' || input.unknown === 'reject' || Object.keys(input.shape).length > 0
}

/** Collects the refusals of all operations, most of which many operations share. */
export type Refusals = {
  referTo(status: number, codes: readonly AnyCode[]): { $ref: string }
  components: Record<string, Refusal>
}

type Refusal = { description: string; headers: object; content: object }

export function collectRefusals(schemas: Schemas): Refusals {
  const components: Refusals['components'] = {}
  return {
    components,
    referTo(status, codes) {
      const name = nameOf(status, codes)
      components[name] ??= describeRefusal(status, codes, schemas)
      return { $ref: `#/components/responses/${name}` }
    },
  }
}

/** The name of a component. In another protocol (OFREP), a schema covers several codes, and a code has several statuses. */
function nameOf(status: number, codes: readonly AnyCode[]): string {
  const foreign = codes.find(isForeignCode)
  if (foreign) return `${foreign.schema.meta()?.id}${status}`
  return codes.map((code) => errorName(codeOf(code))).join('Or')
}

function header(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` }
}

/** Headers that tell programs what to do after a refusal. */
const headersByStatus: Record<number, object> = {
  401: { 'WWW-Authenticate': header('Authenticate') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
}

/**
 * Headers of refusals that are stored for requests with an `Idempotency-Key`. Codes of another protocol (OFREP) occur only in
 * evals, which accept no such key.
 */
function replayHeaders(status: number, codes: readonly AnyCode[]): object {
  return isKeptRefusal({ status }) && !codes.some(isForeignCode) ? { [replayedHeader]: header('Replayed') } : {}
}

function describeRefusal(status: number, codes: readonly AnyCode[], schemas: Schemas): Refusal {
  const bodies = Array.from(new Set(codes.map(errorBodySchema)), schemas.ofAnswer)
  return {
    description: codes.map(codeOf).join(', '),
    headers: { 'X-Request-Id': header('RequestId'), ...headersByStatus[status], ...replayHeaders(status, codes) },
    content: { 'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } } },
  }
}
