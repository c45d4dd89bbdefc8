import type { Answer } from '../answers.ts'
import { type AttackContext, inParallel } from '../attack.ts'
import type { Callers } from './callers.ts'
import { type HostileText, repeatUnit } from './hostile-texts.ts'
import type { Position } from './position.ts'

/** How much longer the server may work on a hostile text than on an ordinary one. */
const maxExtraMs = 5
/** How often to repeat a measurement that took longer: something else may have run, such as garbage collection. */
const repeats = 30

/** A text at a position of a request. */
export type Case = { position: Position; text: HostileText; length: number }

type Bench = { scene: AttackContext; callers: Callers }

/** Finds the texts that cost the server's main thread too much, as sentences. */
export async function findCostlyTexts(bench: Bench, cases: readonly Case[]): Promise<string[]> {
  if (cases.length === 0 || bench.scene.signal.aborted) return []
  // The texts together took less time than each of them is allowed.
  if ((await costOf(bench, cases.map(fill))) <= maxExtraMs) return []
  const [only] = cases
  if (only && cases.length === 1) return measureOne(bench, only)
  const half = Math.ceil(cases.length / 2)
  return [...(await findCostlyTexts(bench, cases.slice(0, half))), ...(await findCostlyTexts(bench, cases.slice(half)))]
}

/**
 * Compares the shortest of several measurements of each text, because other work can only make them longer. Includes a short
 * ordinary text: one of the same length may be refused before the request's own work, while a short text is not.
 */
async function measureOne(bench: Bench, { position, text, length }: Case): Promise<string[]> {
  const hostile = fill({ position, text, length })
  const texts = { ordinary: 'a'.repeat(hostile.text.length), short: 'a', hostile: hostile.text }
  const least = { ordinary: Infinity, short: Infinity, hostile: Infinity }
  const kinds = Object.keys(texts) as (keyof typeof texts)[]
  for (let turn = 0; turn < repeats && !bench.scene.signal.aborted; turn++) {
    // Each kind comes first in turn, because the first may affect the others.
    for (const kind of [...kinds.slice(turn % 3), ...kinds.slice(0, turn % 3)]) {
      least[kind] = Math.min(least[kind], await costOf(bench, [{ position, text: texts[kind] }]))
    }
    if (least.hostile <= maxExtraMs + Math.max(least.ordinary, least.short)) return []
  }
  const shown = `${JSON.stringify(text.unit)}, ${text.form}`
  return [
    `${position.name} (${position.caller}): ${shown}, ${length} long, took ${least.hostile.toFixed(1)} ms, and ordinary text ${least.ordinary.toFixed(1)} ms`,
  ]
}

type FilledPosition = { position: Position; text: string }

function fill({ position, text, length }: Case): FilledPosition {
  return { position, text: repeatUnit(position.encode(text.unit) ?? '', text.form, length) }
}

async function costOf({ scene, callers }: Bench, all: readonly FilledPosition[]): Promise<number> {
  const { cpuMs } = await scene.server.report()
  let refused: Position | null = null
  await inParallel(scene, { total: all.length, atOnce: all.length }, async (index) => {
    const { position, text } = all[index] as FilledPosition
    const { headers, ...request } = position.request(text)
    const answer = await scene.client.send({
      ...request,
      headers: { ...(await callers.headersOf(position.caller)), ...headers },
    })
    if (answer && mayNotAsk(answer)) refused = position
  })
  if (scene.server.ended) return 0
  const cost = (await scene.server.report()).cpuMs - cpuMs
  if (refused) await callers.renew((refused as Position).caller)
  return cost
}

/** Whether the service refused because of the caller's earlier requests, or after an operation ended the caller's rights. */
function mayNotAsk({ status, body }: Answer): boolean {
  return status === 429 || status === 401 || body.includes('"RATE_LIMITED"')
}
