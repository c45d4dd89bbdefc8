import type { Client } from './ask.ts'

type EvalLoad = {
  client: Pick<Client, 'ask'>
  urls: readonly string[]
  headers: Record<string, string>
  /** Requests in flight at each process. */
  inFlight: number
  /** Called before each eval; false ends the load. */
  shouldContinue: () => boolean
}

/** Sends checks of `seats` for `acme` to all processes at once; returns how many answers had each status. */
export async function evaluateAtOnce({
  client,
  urls,
  headers,
  inFlight,
  shouldContinue,
}: EvalLoad): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  const request = {
    method: 'POST',
    path: '/org/subscribers/acme/entitlements/check',
    body: { feature: 'seats' },
    headers,
  }
  const evaluate = async (url: string) => {
    while (shouldContinue()) {
      const { status } = await client.ask(url, request)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(urls.flatMap((url) => Array.from({ length: inFlight }, () => evaluate(url))))
  return statuses
}
