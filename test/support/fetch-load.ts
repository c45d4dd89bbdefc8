import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseLate } from './is-database-late.ts'

export type Request = readonly [method: string, path: string, body?: object]

/**
 * Sends requests until it is ended, then returns the statuses of all answers. Repeats a request for which the database was too
 * late. Each client sends at once the requests that
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
  async function send([method, path, body]: Request): Promise<number> {
    for (;;) {
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!isDatabaseLate(answer.status, await answer.text())) return answer.status
    }
  }
  async function ask(client: number): Promise<void> {
    for (let count = 0; !isEnded; count++) {
      statuses.push(...(await Promise.all(next(`${client}-${count}`).map(send))))
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
