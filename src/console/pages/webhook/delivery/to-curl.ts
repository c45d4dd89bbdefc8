import { quote } from '../../../components/api/api-examples.ts'
import type { DeliveryWithAttempts } from '../webhook.ts'

/** The headers that curl sets by itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection'])

/** A command that repeats the last attempt whose headers are stored; null if there is none. */
export function toDeliveryCurl(
  url: string,
  { attempts, body }: Pick<DeliveryWithAttempts, 'attempts' | 'body'>,
): string | null {
  const headers = attempts.findLast((attempt) => attempt.headers !== null)?.headers
  if (!headers) return null
  const lines = Object.entries(headers as Record<string, string>)
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`)
  return [`curl -X POST ${quote(url)}`, ...lines, `  --data-raw ${quote(body)}`].join(' \\\n')
}
