import { newApiKey } from '../../src/access/api-key.ts'
import { nextCheck } from './exchanges.ts'
import { runLoad } from './http-load.ts'

const keys = Array.from({ length: 200 }, () => newApiKey().key)
for (let i = 0; i < 3; i++) {
  const r = await runLoad({
    port: 4555,
    connections: 128,
    durationMs: 3000,
    next: () => ({ ...nextCheck(keys), faultOf: () => null }) as never,
  })
  console.log(Math.round(r.perSecond))
}
