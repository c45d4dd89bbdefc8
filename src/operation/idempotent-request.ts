import { conflict, type DomainError, validationError } from '../core/errors.ts'
import { holdsSecret } from '../core/field-type.ts'
import type { StoredAnswer } from '../recording/idempotency-record.ts'
import type { Definition, KindName } from './definition.ts'

export const keyHeader = 'Idempotency-Key'
export const replayedHeader = 'Idempotency-Replayed'

/**
 * Whether a request for the operation may have an `Idempotency-Key`. Only writes of members accept one, unless their answer
 * contains a secret.
 */
export function acceptsIdempotencyKey({
  kind,
  answer,
}: { kind: KindName } & Pick<Definition<string, unknown>, 'answer'>): boolean {
  return kind === 'write' && !(answer && holdsSecret(answer.schema))
}

/** Larger bodies are not kept. */
const maxKeptBytes = 16 * 1024

/** The statuses of refusals that are kept, because the request was processed. Other refusals may have a temporary reason. */
const keptRefusals = [404, 409, 422]

export function isKeptRefusal({ status }: Pick<DomainError, 'status'>): boolean {
  return keptRefusals.includes(status)
}

/** The answer if it is small enough to keep, or null. */
export function nullIfTooLarge<Kept extends string | Buffer>(answer: Kept | null): Kept | null {
  return answer !== null && Buffer.byteLength(answer) <= maxKeptBytes ? answer : null
}

type IdempotentRequestOptions = {
  /** The header as sent. */
  header: string
  /** SHA-256 of the parts of the request that a repetition must not change. */
  requestHash: Buffer
  /** Returns the body of a success, if the API knows it before the commit: REST does, GraphQL does not. */
  toBody?: (result: unknown) => string | null
}

/** A request with an `Idempotency-Key`. Contract: Repeated requests. */
export class IdempotentRequest {
  readonly header: string
  readonly requestHash: Buffer
  readonly toBody?: (result: unknown) => string | null
  /** Whether the answer repeats an earlier answer; set before the operation returns or throws it. */
  isReplay = false
  #keep: ((body: string) => Promise<void>) | null = null

  constructor({ header, requestHash, toBody }: IdempotentRequestOptions) {
    this.header = header
    this.requestHash = requestHash
    if (toBody) this.toBody = toBody
  }

  /** Sets the function that keeps the answer once the API knows it. */
  keepLater(keep: (body: string) => Promise<void>): void {
    this.#keep = keep
  }

  /** Called by the API with the body of an answer, before it is sent. */
  async keepAnswer(body: string): Promise<void> {
    await this.#keep?.(body)
  }
}

/** Thrown in place of a result: the answer of the first request, to be sent unchanged. */
export class Replayed extends Error {
  override readonly name = 'Replayed'
  readonly storedAnswer: StoredAnswer

  constructor(storedAnswer: StoredAnswer) {
    super('The request was answered before.')
    this.storedAnswer = storedAnswer
  }

  /** The code of a refusal, in either API; null for a success. */
  get code(): string | null {
    const { status, body } = this.storedAnswer
    return status < 400 ? null : (/"code":"(\w+)"/.exec(body ?? '')?.[1] ?? null)
  }
}

/** A key is either in quotes, like a string in a structured field (RFC 9651), or bare. */
const quotedKey = /^"((?:[!#-[\]-~]|\\["\\])*)"$/
const bareKey = /^[!#-~][!-~]*$/
const maxKeyLength = 255

/** The key, or null if it is not valid. */
export function readKey(header: string): string | null {
  const quoted = quotedKey.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1')
  const key = quoted ?? (bareKey.test(header) ? header : '')
  return key.length >= 1 && key.length <= maxKeyLength ? key : null
}

export function invalidKey(): DomainError {
  return keyError(
    `${keyHeader} must be 1 to ${maxKeyLength} visible ASCII characters, bare or in double quotes. A random UUID is a good key.`,
  )
}

/** The refusal of an `Idempotency-Key` by an operation that does not accept one. */
export function idempotencyKeyNotAllowed({ kind }: { kind: KindName }): DomainError {
  return keyError(
    kind === 'bulk_write'
      ? `An import can be repeated as it is. Send it without ${keyHeader}.`
      : `This answer may contain a secret, which is not stored. Send the request without ${keyHeader}.`,
  )
}

function keyError(message: string): DomainError {
  return validationError([{ path: keyHeader, message }])
}

export function keyUsedForAnotherRequest(key: string): DomainError {
  return keyError(
    `The key "${key}" was used for another request. Use a new key for each request, and the same key only to repeat it unchanged.`,
  )
}

export function requestStillRunning(key: string): DomainError {
  return conflict(
    { field: 'idempotency_key', value: key },
    `The first request with the key "${key}" is still running. Repeat it in a moment.`,
  )
}
