import { refusalsOf } from '../../rest/openapi/refusals.ts'
import { restRoutes } from '../../rest/routes.ts'
import { codeOf, errorAnswer } from '../../src/core/error-answer.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

const operations = restRoutes.map(({ operation }) => ({
  operation,
  pattern: new RegExp(`^${operation.route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The operation of a request. Templates with fewer parameters come first: `change` is not a subscription. */
function findOperation(method: string, path: string): AnyOperation | undefined {
  const found = operations.filter(({ operation, pattern }) => operation.method === method && pattern.test(path))
  const parameters = ({ route }: AnyOperation) => route.split('{').length
  return found.map(({ operation }) => operation).toSorted((a, b) => parameters(a) - parameters(b))[0]
}

/** Throws when an answer of the REST door differs from its operation's description: a body field by field, an error by its code. */
export function assertDescribed(method: string, url: string, status: number, body: unknown): void {
  const { pathname } = new URL(url)
  const operation = findOperation(method, pathname)
  if (!operation) return
  if (status >= 400) assertRefusal(operation, status, body)
  else assertSuccess(operation, body)
}

function assertSuccess({ name, answer }: AnyOperation, body: unknown): void {
  if (!answer) {
    if (body !== undefined) throw new Error(`${name} answers no body, but this came: ${JSON.stringify(body)}`)
    return
  }
  const { error } = answer.schema.safeParse(body)
  if (error) throw new Error(`${name} answers what it does not describe: ${error.message}`)
}

function assertRefusal(operation: AnyOperation, status: number, body: unknown): void {
  const sent = (body as { error?: { code?: string } } | undefined)?.error?.code
  const code = refusalsOf(operation)
    .get(status)
    ?.find((each) => codeOf(each) === sent)
  if (!code) throw new Error(`${operation.name} does not say that it may answer ${status} ${sent}`)
  const { error } = errorAnswer(code).safeParse(body)
  if (error) throw new Error(`${operation.name} answers ${sent} in another shape than described: ${error.message}`)
}
