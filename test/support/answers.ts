import { restRoutes } from '../../rest/routes.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

const operations = restRoutes.map(({ operation }) => ({
  operation,
  pattern: new RegExp(`^${operation.route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The operation that a request is for. Templates with fewer parameters go first: `change` is no subscription. */
function findOperation(method: string, path: string): AnyOperation | undefined {
  const found = operations.filter(({ operation, pattern }) => operation.method === method && pattern.test(path))
  const parameters = ({ route }: AnyOperation) => route.split('{').length
  return found.map(({ operation }) => operation).toSorted((a, b) => parameters(a) - parameters(b))[0]
}

/** Throws when the body of a success is not what the operation describes, field by field. */
export function assertDescribed(method: string, url: string, status: number, body: unknown): void {
  if (status < 200 || status > 299) return
  const { pathname } = new URL(url)
  const operation = findOperation(method, pathname)
  if (!operation) return
  const { name, answer } = operation
  if (!answer) {
    if (body !== undefined) throw new Error(`${name} answers no body, but this came: ${JSON.stringify(body)}`)
    return
  }
  const { error } = answer.schema.safeParse(body)
  if (error) throw new Error(`${name} answers what it does not describe: ${error.message}`)
}
