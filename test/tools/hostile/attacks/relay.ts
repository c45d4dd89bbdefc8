import { limitOf } from '../../../support/limit-of.ts'
import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'
import { neighbourhood } from '../watch.ts'
import { connectionAttacks } from './connections.ts'
import { addressOf } from './sockets.ts'

const pathOf = (subscriber: string) => `/org/subscribers/${subscriber}/entitlements/check`
const body = JSON.stringify({ feature: neighbourhood.feature })
/** Longer than the relay takes to notice that its followers are gone. */
const goneMs = limitOf(20_000)

/** The bytes of a check that the relay answers from memory. */
const checkOf = ({ attacker }: AttackContext) =>
  `POST ${pathOf(neighbourhood.subscriber)} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${attacker.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const bodies = [
  '['.repeat(200_000),
  `{"feature":${'{"a":'.repeat(100_000)}`,
  `{"feature":"${'a'.repeat(900_000)}"}`,
  `{"features":[${'"a",'.repeat(100_000)}"a"]}`,
  `{${Array.from({ length: 50_000 }, (_, index) => `"a${index}":1`).join()}}`,
  ' '.repeat(900_000),
  `{"feature":"${'\\u0000'.repeat(100_000)}"}`,
]

/** Callers with a token of the relay are attackers, too: each product that runs beside it has one. */
const own: Attack[] = [
  {
    name: 'checks of unknown subscribers',
    run: (scene) =>
      inParallel(scene, { total: 3_000 * scene.scale, atOnce: 100 }, (index) =>
        scene.client.send({ path: pathOf(`nobody-${index}`), headers: scene.attacker.headers, body }),
      ),
  },
  {
    name: 'snapshots of unknown subscribers',
    run: (scene) =>
      inParallel(scene, { total: 50 * scene.scale, atOnce: 20 }, (index) => {
        const ids = Array.from({ length: 100 }, (_, number) => `nobody-${index}-${number}`)
        return scene.client.send({
          path: '/org/entitlements',
          headers: scene.attacker.headers,
          body: { subscriber_ids: ids },
        })
      }),
  },
  {
    name: 'checks with large, deep and broken bodies',
    run: (scene) =>
      inParallel(scene, { total: 20 * bodies.length * scene.scale, atOnce: 20 }, (index) =>
        scene.client.send({
          path: pathOf(neighbourhood.subscriber),
          headers: scene.attacker.headers,
          body: bodies[index % bodies.length],
        }),
      ),
  },
  {
    name: 'checks whose answers nobody reads',
    async run(scene) {
      const part = Buffer.from(checkOf(scene).repeat(1_000))
      await inParallel(scene, { total: 50 * scene.scale, atOnce: 25 }, async () => {
        const socket = await scene.client.open({ reads: false, from: addressOf(7) })
        socket.write(checkOf(scene))
        await pause(scene, 50)
        for (let sent = 0; sent < 20 && !socket.destroyed; sent++) socket.write(part)
        scene.answers.count('held')
        await pause(scene, 1_000)
      })
    },
  },
  {
    name: 'followers that come and go',
    async run(scene) {
      const { client, attacker } = scene
      const request = `GET /org/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${attacker.key}\r\nAccept: text/event-stream\r\n\r\n`
      await inParallel(scene, { total: 500 * scene.scale, atOnce: 50 }, async (index) => {
        const socket = await client.open({ from: addressOf(7) })
        socket.write(request)
        await pause(scene, index % 50)
        socket.destroy()
        scene.answers.count('gone')
      })
      const ask = () => client.send({ path: '/org/changes', headers: attacker.headers })
      let answer = await ask()
      // The relay may still be noticing that they are gone.
      for (const endsAt = Date.now() + goneMs; answer?.status !== 200 && Date.now() < endsAt; answer = await ask())
        await pause(scene, 200)
      if (answer?.status !== 200) scene.fault(`no room for a follower afterwards: ${answer?.status} ${answer?.body}`)
    },
  },
]

export const relayAttacks: readonly Attack[] = [...own, ...connectionAttacks].map((attack) => ({
  ...attack,
  name: `${attack.name}, at a relay`,
  variant: 'relay',
}))
