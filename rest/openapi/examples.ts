import { readFileSync } from 'node:fs'

/** One request and its answer, recorded by a test. */
export type Example = {
  /** Path and query, without the host. */
  path: string
  /** The parameters of path and query, by name. */
  parameters: Record<string, string>
  body?: unknown
  status: number
  answer?: unknown
}

const file: Record<string, Example> = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8'))
const examples = new Map(Object.entries(file))

/**
 * The recorded example of an operation or event. To record all examples again:
 * `npx vitest run test/contract/examples.test.ts --update`.
 */
export function exampleOf(operationName: string): Example | undefined {
  return examples.get(operationName)
}
