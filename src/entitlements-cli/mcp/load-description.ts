import type { Connection } from '../connection.ts'
import { Problem, reasonOf } from '../problem.ts'
import type { OpenApi } from './tools.ts'

/** The service's own description of its operations. */
export async function loadDescription({ url, prefix }: Connection): Promise<OpenApi> {
  const address = `${url}/openapi.json`
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return (await response.json()) as OpenApi
  } catch (error) {
    throw new Problem(`${address} cannot be read: ${reasonOf(error)}. Is ${prefix}_URL the address of the service?`)
  }
}
