import { statusByCode } from '../../support/statuses.ts'

export type Answer = { status: number; headers: Record<string, string>; body: string }

export type Api = 'rest' | 'graphql' | 'plain'

type ErrorBody = { type?: unknown; code?: unknown; message?: unknown; request_id?: unknown; details?: unknown }

/** Counts the answers by kind, and collects their faults. */
export class AnswerTally {
  readonly #counts = new Map<string, number>()
  readonly faults = new Map<string, string>()
  total = 0

  /** Checks an answer and counts it. */
  add(answer: Answer, api: Api, asked: string): Answer {
    const { kind, fault } = checkAnswer(answer, api)
    this.count(kind)
    if (fault !== null && this.faults.size < 20) {
      this.faults.set(fault, `${asked.slice(0, 300)} → ${answer.status} ${answer.body.slice(0, 300)}`)
    }
    return answer
  }

  /** Records why a request got no answer. */
  count(kind: string): void {
    this.total += 1
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** The counts by kind, most frequent first. */
  toString(): string {
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a)
    return sorted
      .slice(0, 6)
      .map(([kind, count]) => `${kind} ×${count}`)
      .join(', ')
  }
}

function checkAnswer({ status, headers, body }: Answer, api: Api): { kind: string; fault: string | null } {
  if (!/^req_[0-9A-Z]{26}$/.test(headers['x-request-id'] ?? '')) {
    return { kind: `${status}`, fault: 'an answer has no request id' }
  }
  if (api === 'plain') return { kind: `${status}`, fault: status >= 500 ? 'an answer is a 5xx' : null }
  if (api === 'graphql' && body.startsWith('{')) return checkGraphql(status, body)
  if (status < 400) return { kind: `${status}`, fault: null }
  // A browser gets a page that says what to do.
  if ((status < 500 || status === 503) && headers['content-type']?.startsWith('text/html'))
    return { kind: `${status}`, fault: null }
  return checkError(status, headers, body)
}

function checkError(status: number, headers: Record<string, string>, body: string) {
  const parsed = parse(body)
  if (parsed?.errorCode) return checkFlagFailure(status, parsed)
  const error = parsed?.error as ErrorBody | undefined
  const kind = `${status} ${error?.code ?? '?'}`
  if (status >= 500 && status !== 503) return { kind, fault: 'an answer is a 5xx that is no 503' }
  const isContract =
    typeof error?.message === 'string' &&
    error.message !== '' &&
    error.details !== undefined &&
    error.request_id === headers['x-request-id'] &&
    error.type === (status < 500 ? 'invalid_request_error' : 'api_error') &&
    statusByCode[error.code as keyof typeof statusByCode] === status
  return { kind, fault: isContract ? null : 'an error is not in the shape of the contract' }
}

/** Checks a failure in the format of OFREP. */
function checkFlagFailure(status: number, { errorCode, errorDetails }: Record<string, unknown>) {
  const kind = `${status} ${errorCode}`
  const isContract = [400, 404, 413, 503].includes(status) && typeof errorDetails === 'string' && errorDetails !== ''
  return { kind, fault: isContract ? null : 'a failure of OFREP is not in its shape' }
}

type GraphqlError = { message?: unknown; extensions?: ErrorBody & { requestId?: unknown; status?: unknown } }

function checkGraphql(status: number, body: string): { kind: string; fault: string | null } {
  const parsed = body.length > 5_000_000 ? { errors: [] } : parse(body)
  const errors = (parsed?.errors ?? []) as GraphqlError[]
  const kind = `${status} ${errors[0]?.extensions?.code ?? 'data'}`
  if (!parsed) return { kind, fault: 'a GraphQL answer is not JSON' }
  if (status >= 500 && status !== 503) return { kind, fault: 'an answer is a 5xx that is no 503' }
  const broken = errors.find(
    ({ message, extensions }) =>
      typeof message !== 'string' ||
      extensions?.details === undefined ||
      typeof extensions.requestId !== 'string' ||
      statusByCode[extensions.code as keyof typeof statusByCode] !== extensions.status,
  )
  if (broken) return { kind, fault: 'a GraphQL error is not in the shape of the contract' }
  const failed = errors.some(({ extensions }) => extensions?.code === 'INTERNAL_ERROR')
  return { kind, fault: failed ? 'a GraphQL error is an INTERNAL_ERROR' : null }
}

function parse(body: string): Record<string, unknown> | null {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
