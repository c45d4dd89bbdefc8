import type { Answer } from './service.ts'

/** Sends all of them at once; how many answers came of each kind: `201`, `409 CONFLICT`. */
export async function race(
  requests: (() => Promise<Answer>)[],
): Promise<{ answers: Answer[]; tally: Record<string, number> }> {
  const answers = await Promise.all(requests.map((request) => request()))
  const tally: Record<string, number> = {}
  for (const { status, body } of answers) {
    const kind = body?.error ? `${status} ${body.error.code}` : String(status)
    tally[kind] = (tally[kind] ?? 0) + 1
  }
  return { answers, tally }
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
