import type { Answer } from './service.ts'

/**
 * Throws if the message of a GraphQL error has a REST route, or the name of a field in REST's spelling. Contract: GraphQL 1.
 * test/contract/graphql-names.test.ts checks the messages of 422, which may contain keys that vendors chose.
 */
export function assertNamesOfGraphql(url: string, { body }: Answer): void {
  if (new URL(url).pathname !== '/graphql' || !Array.isArray(body?.errors)) return
  for (const { message, extensions } of body.errors) {
    if (extensions?.code === 'VALIDATION_ERROR') continue
    // Texts in quotation marks are the request's own.
    const [word] = message.replaceAll(/"[^"]*"/g, '').match(/\b(?:[A-Z]+ \/(?:org|user)\b|[a-z]+_[a-z_]+)/) ?? []
    if (word) throw new Error(`The GraphQL error ${JSON.stringify(message)} has REST's ${word}.`)
  }
}
