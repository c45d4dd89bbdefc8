import { environmentOf, type Fetch } from '../platform.ts'
import { EntitlementsError, errorOf } from './errors.ts'
import { operations } from './generated/operations.ts'
import { type ImportLines, type ImportResult, importLines } from './import.ts'
import type { Api, CallOptions, OperationId } from './operation-types.ts'
import { pagesOf } from './pages.ts'
import { requestJson, type Transport } from './request.ts'

export type ApiOptions = {
  /** The address of the service. */
  baseUrl: string
  /** The key of a service account. */
  apiKey?: string | undefined
  /** Instead of a key: the token of a subscriber or a person, or a function that returns the current token. */
  token?: string | (() => string | Promise<string>) | undefined
  /** Instead of both: the headers that identify the caller. */
  authorization?: Transport['authorization']
  renewing?: Transport['renewing']
  fetch?: Fetch | undefined
  /** The time limit of each call, including retries, in milliseconds; 10 seconds by default. */
  timeoutMs?: number | undefined
  /** Called after a write that may have changed something. */
  onWrite?: (operation: OperationId, params: Readonly<Record<string, unknown>>) => void
}

type Values = Readonly<Record<string, unknown>>

const defaultTimeoutMs = 10_000
const importTimeoutMs = 60_000

/** Every operation of the REST API as a method: `await api.getPlan({ key: 'pro' })`. */
export function createApi(options: ApiOptions, environment = environmentOf(options.fetch)): Api {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    authorization: options.authorization ?? (() => headersOf(options)),
    ...(options.renewing && { renewing: options.renewing }),
    environment,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  }
  const methods = Object.entries(operations).map(([id, row]) => {
    const operation = readRow(id as OperationId, row)
    return [id, methodOf(operation, { transport, onWrite: options.onWrite, timeoutMs: options.timeoutMs })]
  })
  return Object.fromEntries(methods)
}

async function headersOf({ apiKey, token }: ApiOptions): Promise<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }
  return apiKey === undefined ? {} : { 'x-api-key': apiKey }
}

type Operation = {
  id: OperationId
  method: string
  route: string
  takesBody: boolean
  takesKey: boolean
  isWrite: boolean
  /** For a list: the property of a page that has the items. */
  items: string | undefined
  itemId: string | undefined
}

/** Parses a row of the table of operations, in which spaces separate these fields. */
function readRow(id: OperationId, row: string): Operation {
  const [method = '', route = '', traits = '', list = ''] = row.split(' ')
  const [items, itemId] = list === '' ? [] : list.split('.')
  const [takesBody, takesKey, isWrite] = ['b', 'k', 'w'].map((trait) => traits.includes(trait)) as [
    boolean,
    boolean,
    boolean,
  ]
  return { id, method, route, takesBody, takesKey, isWrite, items, itemId }
}

type Context = Pick<ApiOptions, 'onWrite' | 'timeoutMs'> & { transport: Transport }

function methodOf(operation: Operation, context: Context): (params?: Values, options?: CallOptions) => unknown {
  const { id, items, itemId } = operation
  if (id === 'importSubscribers') {
    return ({ lines, ...query } = {}, options = {}) => {
      const timeoutMs = context.timeoutMs ?? importTimeoutMs
      const send = (text: string, isDryRun?: true) => {
        const params = isDryRun ? { ...query, dry_run: true } : query
        return call(operation, params, { timeoutMs, ...options, lines: text }, context) as Promise<ImportResult>
      }
      return importLines(lines as ImportLines, send, (options as { onProgress?: () => void }).onProgress)
    }
  }
  if (items === undefined) return (params = {}, options = {}) => call(operation, params, options, context)
  return (params = {}, options = {}) => {
    const read = (after: string | undefined) =>
      call(operation, after === undefined ? params : { ...params, starting_after: after }, options, context)
    return pagesOf({ items, id: itemId, read: read as (after?: string) => Promise<Record<string, unknown>> })
  }
}

type Call = CallOptions & {
  /** The body as NDJSON. */
  lines?: string
}

async function call(operation: Operation, params: Values, options: Call, context: Context): Promise<unknown> {
  const { id, method, takesBody, takesKey, isWrite } = operation
  const { path, rest } = fillPath(operation, params)
  const { signal, lines } = options
  const { transport, onWrite } = context
  // If the caller asked the service to wait for something, this wait is added to the time limit.
  const waitMs = typeof params.wait === 'number' && !isWrite ? params.wait * 1000 : 0
  const timeoutMs = options.timeoutMs ?? transport.timeoutMs + waitMs
  const key = takesKey ? (options.idempotencyKey ?? randomKey()) : options.idempotencyKey
  const headers: Record<string, string> = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
  }
  const request = {
    method,
    path: takesBody ? path : path + queryOf(rest),
    headers,
    body: takesBody ? JSON.stringify(rest) : lines,
    isRepeatable: !isWrite || takesKey || lines !== undefined || method === 'PUT' || method === 'DELETE',
    signal,
  }
  try {
    const { body } = await requestJson({ ...transport, timeoutMs }, request)
    if (isWrite) onWrite?.(id, params)
    return body ?? undefined
  } catch (error) {
    if (isWrite && !isRefusal(error)) onWrite?.(id, params)
    throw error
  }
}

/** Whether the service reported that it changed nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof EntitlementsError && error.status !== null && error.status >= 400 && error.status < 500
}

/** Fills the values into the path of the route. Returns the path, and the values that it does not contain. */
function fillPath({ id, route }: Operation, params: Values): { path: string; rest: Values } {
  const rest = { ...params }
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    delete rest[name]
    // Every platform would resolve dots in the path, and request the parent path.
    if (/^\.{0,2}$/.test(value)) throw invalidValue(name, `${id} needs ${name}, which cannot be "${value}".`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

function invalidValue(path: string, message: string): EntitlementsError {
  return errorOf({ code: 'VALIDATION_ERROR', message, details: { fields: [{ path, message }] } })
}

/** The values as a query string: a list repeats its name, and the parts of an object become `name[part]`. */
function queryOf(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return value.map((each) => [name, each])
    if (typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(value).map(([part, each]) => [`${name}[${part}]`, each])
  })
  const given = pairs.filter(([, value]) => value !== undefined)
  const query = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** A unique key that need not be secret: pages over plain HTTP have no `randomUUID`, and Node 18 has no global `crypto`. */
function randomKey(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?(): string } }
  return crypto?.randomUUID?.() ?? Array.from({ length: 4 }, () => Math.random().toString(36).slice(2)).join('')
}
