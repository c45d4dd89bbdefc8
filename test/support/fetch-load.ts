import { setTimeout as wait } from 'node:timers/promises'

export type Request = readonly [method: string, path: string, body?: object]

/**
 * Sends requests until it is ended, then returns the statuses of all answers. Each client sends at once the requests that
 * `next` returns for a suffix that is new each time. A pause leaves processor time to processes that start meanwhile.
 */
export function startLoad(
  url: string,
  key: string,
  next: (suffix: string) => Request[],
  { clients = 8, pauseMs = 0 } = {},
): { end(): Promise<number[]> } {
  const statuses: number[] = []
  let isEnded = false
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  async function ask(client: number): Promise<void> {
    for (let count = 0; !isEnded; count++) {
      const requests = next(`${client}-${count}`).map(([method, path, body]) =>
        fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
      )
      for (const answer of await Promise.all(requests)) {
        statuses.push(answer.status)
        await answer.arrayBuffer()
      }
      if (pauseMs > 0) await wait(pauseMs)
    }
  }
  const asking = Promise.all(Array.from({ length: clients }, (_, client) => ask(client)))
  return {
    async end() {
      isEnded = true
      await asking
      return statuses
    },
  }
}
