import { type Attack, inParallel } from '../attack.ts'
import { generate } from '../generated.ts'
import { vendor } from './vendor.ts'

/** The seed of a batch is in its name, to reproduce failures. */
const batchSize = 5_000

/** Random requests to both APIs by callers of each role, one batch per row. */
export function generatedAttacks(requests: number, seed: number): Attack[] {
  return Array.from({ length: Math.ceil(requests / batchSize) }, (_, batch) => {
    const count = Math.min(batchSize, requests - batch * batchSize)
    return {
      name: `generated requests, seed ${seed + batch}`,
      async run(scene) {
        const given = vendor(scene)
        await given.feature('x', { kind: 'config', value_type: 'enum', options: ['red', 'green'] })
        await given.feature('y')
        await given.send('POST', '/org/plans', { key: 'x', name: 'x', grants: { x: { kind: 'config', value: 'red' } } })
        await given.subscriber('x')
        // Generate in parts, so that this program can do other work in between.
        const partSize = 250
        for (let part = 0; part < count && !scene.signal.aborted; part += partSize) {
          const all = generate((seed + batch) * 1_000 + part, Math.min(partSize, count - part))
          await inParallel(scene, { total: all.length, atOnce: 20 }, (index) => {
            const { caller, headers, ...request } = all[index] as (typeof all)[number]
            const key = caller === 'anonymous' ? 'ent_nonsense' : scene.attacker.keys[caller]
            return scene.client.send({ ...request, headers: { ...headers, ...(key && { 'x-api-key': key }) } })
          })
        }
      },
    } satisfies Attack
  })
}
