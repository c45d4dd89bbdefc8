import type { z } from 'zod'
import { hasEtag } from '../../rest/openapi/parameters.ts'
import { refusalsOf } from '../../rest/openapi/refusals.ts'
import { restRoutes } from '../../rest/routes.ts'
import { type AnyCode, codeOf, errorBodySchema, isForeignCode, statusOf } from '../../src/core/error-answer.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { findHeaderFault } from './described-headers.ts'

const schemas = new Map<string, z.ZodType>()

const operations = restRoutes.map(({ operation }) => ({
  operation,
  pattern: new RegExp(`^${operation.route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The refusals of each operation, by status and code. Built once, because tests send thousands of evals at a time. */
const refusals = new Map(operations.map(({ operation }) => [operation.name, describeRefusals(operation)]))

function describeRefusals(operation: AnyOperation): ReadonlyMap<string, z.ZodType> {
  const codes = [...refusalsOf(operation).values()].flat()
  return new Map(codes.map((code) => [`${statusOf(code)} ${codeOf(code)}`, schemaOf(code)]))
}

function schemaOf(code: AnyCode): z.ZodType {
  if (isForeignCode(code)) return code.schema
  const known = schemas.get(codeOf(code)) ?? errorBodySchema(code)
  schemas.set(codeOf(code), known)
  return known
}

/** The operation of a request. Routes with fewer parameters come first: `change` is not a subscription's id. */
function findOperation(method: string, path: string): AnyOperation | undefined {
  const found = operations.filter(({ operation, pattern }) => operation.method === method && pattern.test(path))
  const parameters = ({ route }: AnyOperation) => route.split('{').length
  return found.map(({ operation }) => operation).toSorted((a, b) => parameters(a) - parameters(b))[0]
}

type SentAnswer = { status: number; headers: Headers; body: unknown }

/**
 * Throws if an answer of the REST API differs from its operation's description: the body field by field, an error by its
 * code, and the described headers.
 */
export function assertMatchesDescription(method: string, url: string, { status, headers, body }: SentAnswer): void {
  const { pathname } = new URL(url)
  const operation = findOperation(method, pathname)
  if (!operation) return
  if (status >= 400) assertRefusal(operation, status, body)
  else if (status === 304 && hasEtag(operation)) assertSuccess({ ...operation, answer: null }, body)
  // Answers in lines have their own tests.
  else if (operation.kind !== 'bulk_write' || typeof body !== 'string') assertSuccess(operation, body)
  const fault = findHeaderFault(operation, status, headers)
  if (fault !== null) throw new Error(`${operation.name}, answering ${status}, ${fault}`)
}

function assertSuccess({ name, answer }: AnyOperation, body: unknown): void {
  if (!answer) {
    if (body !== undefined) throw new Error(`${name} answers no body, but this came: ${JSON.stringify(body)}`)
    return
  }
  const { error } = answer.schema.safeParse(body)
  if (error) throw new Error(`${name} answers what it does not describe: ${error.message}`)
}

function assertRefusal({ name }: AnyOperation, status: number, body: unknown): void {
  const { error: own, errorCode } = (body ?? {}) as { error?: { code?: string }; errorCode?: string }
  const sent = `${status} ${errorCode ?? own?.code}`
  const schema = refusals.get(name)?.get(sent)
  if (!schema) throw new Error(`${name} does not say that it may answer ${sent}`)
  const { error } = schema.safeParse(body)
  if (error) throw new Error(`${name} answers ${sent} in another shape than described: ${error.message}`)
}
