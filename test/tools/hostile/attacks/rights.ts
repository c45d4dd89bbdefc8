import { type Attack, type AttackContext, pause } from '../attack.ts'

/** A caller whose key is about to be revoked. */
async function addAdmin({ client, attacker: { headers } }: AttackContext, name: string) {
  const account = JSON.parse(
    (await client.send({ path: '/org/service-accounts', headers, body: { name, role: 'admin' } }))?.body ?? '{}',
  )
  const path = `/org/service-accounts/${account.service_account_id}/api-keys`
  const created = JSON.parse((await client.send({ path, headers, body: { name } }))?.body ?? '{}')
  return {
    path,
    key: created.key as string,
    revoke: () => client.send({ method: 'DELETE', path: `${path}/${created.key_id}`, headers }),
  }
}

export const rightsAttacks: Attack[] = [
  {
    name: 'a key revoked before the last byte of its request',
    async run(scene) {
      for (let round = 0; round < 5; round++) {
        const admin = await addAdmin(scene, `slow ${round}`)
        const body = '{"name":"taken"}'
        const socket = await scene.client.open({ reads: false })
        socket.write(
          `POST ${admin.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${admin.key}\r\nContent-Type: application/json\r\n` +
            `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, -1)}`,
        )
        await pause(scene, 200)
        await admin.revoke()
        const answer = new Promise<string>((resolve) => {
          let received = ''
          socket.on('data', (chunk) => {
            received += chunk
          })
          socket.on('close', () => resolve(received))
        })
        socket.write(body.slice(-1))
        const status = (await answer).slice(9, 12)
        scene.answers.count(status)
        if (status !== '401') scene.fault(`a key that was revoked got ${status}`)
      }
    },
  },
  {
    name: 'a key revoked while its document runs',
    async run(scene) {
      const { client, attacker } = scene
      for (let round = 0; round < 5; round++) {
        const admin = await addAdmin(scene, `document ${round}`)
        const fields = Array.from(
          { length: 25 },
          (_, index) => `a${index}: createSubscriber(input: { subscriberId: "r${round}-${index}" }) { subscriberId }`,
        )
        const running = client.graphql(`mutation { ${fields.join(' ')} }`, undefined, { 'x-api-key': admin.key })
        await pause(scene, 20)
        await admin.revoke()
        const count = async () => {
          const list = await client.send({ path: '/org/subscribers?limit=100', headers: attacker.headers })
          return JSON.parse(list?.body ?? '{"subscribers":[]}').subscribers.length as number
        }
        const atRevocation = await count()
        await running
        const later = await count()
        if (later > atRevocation) scene.fault(`${later - atRevocation} mutations ran after the revocation was answered`)
      }
    },
  },
]
