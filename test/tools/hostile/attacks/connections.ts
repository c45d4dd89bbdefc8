import { limitOf } from '../../../support/limit-of.ts'
import { type Attack, inParallel, pause } from '../attack.ts'

const head = (key: string, length: number) =>
  `POST /org/features HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

export const connectionAttacks: Attack[] = [
  {
    name: 'clients that disconnect in the middle of a body',
    async run(scene) {
      const { client, attacker } = scene
      await inParallel(scene, { total: 50 * scene.scale, atOnce: 20 }, async (index) => {
        const socket = await client.open()
        socket.write(`${head(attacker.key, 1000)}{"key":`)
        await pause(scene, 20)
        if (index % 2) socket.destroy()
        else socket.resetAndDestroy()
        scene.answers.count('disconnected')
      })
      await pause(scene, 500)
    },
  },
  {
    name: 'connections that never finish their headers',
    async run(scene) {
      await inParallel(scene, { total: 300 * scene.scale, atOnce: 50 }, async () => {
        const socket = await scene.client.open()
        socket.write('GET /org HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ')
        scene.answers.count('held')
      })
      await pause(scene, scene.scale > 1 ? 20_000 : 2_000)
    },
  },
  {
    name: 'bodies that come slowly',
    async run(scene) {
      const { client, attacker, scale } = scene
      const most = Buffer.alloc(1_000_000, ' ')
      await inParallel(scene, { total: 60 * scale, atOnce: 20 }, async () => {
        const socket = await client.open()
        socket.write(head(attacker.key, 1_048_576))
        socket.write(most)
        scene.answers.count('held')
      })
      await pause(scene, scale > 1 ? 20_000 : 3_000)
    },
  },
  {
    name: 'bytes that are not HTTP',
    async run(scene) {
      const { client } = scene
      const requests = [
        '\0\0\0\0\r\n\r\n',
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
        'GET  HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET //evil.example/org HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        'GET /org HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
        'GET /org HTTP/1.1\r\nConnection: close\r\n\r\n',
        'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        'CONNECT evil.example:80 HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET /org HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        'POST /org/features HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'POST /org/features HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n',
        'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
        'POST /graphql HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{"a"}',
        'POST /graphql HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET /org HTTP/1.1\r\nHost: a\r\n${'X-A: b\r\n'.repeat(4_000)}\r\n`,
        `GET /org HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 1900 }, (_, index) => `X${index}:b\r\n`).join('')}Connection: close\r\n\r\n`,
      ]
      const sendOne = (request: string) =>
        client.raw(
          Buffer.from(request, 'latin1'),
          request.startsWith('POST /graphql') ? 'graphql' : 'rest',
          limitOf(3_000),
        )
      await inParallel(scene, { total: requests.length * scene.scale, atOnce: 10 }, (index) =>
        sendOne(requests[index % requests.length] as string),
      )
    },
  },
  {
    name: 'addresses and queries at their longest',
    async run(scene) {
      const { client, attacker } = scene
      const paths = [
        `/${'a/'.repeat(7_000)}`,
        `/org/${'%2f'.repeat(5_000)}`,
        `/org/subscribers/${'%ff'.repeat(5_000)}`,
        `/org/subscribers/${'%F0%9F%9A%80'.repeat(1_200)}/overrides/${'x'.repeat(500)}`,
        `/org/features/${'..%2f'.repeat(3_000)}`,
        `/org/audit-events?${'a=b&'.repeat(3_500)}`,
        `/org/audit-events?${Array.from({ length: 1_200 }, (_, index) => `params[p${index}]=v`).join('&')}`,
        `/org/features?${Array.from({ length: 1_500 }, (_, index) => `featur${index}=1`).join('&')}`,
        `/org/plans?include_archive${'d'.repeat(14_000)}=1`,
        `/org/plans?${'__proto__[x]=1&constructor[prototype]=2&'.repeat(300)}`,
        `/org/subscribers?starting_after=${'%20'.repeat(5_000)}`,
        `/org/audit-events?occurred_after=${'2026-'.repeat(3_000)}`,
        '/org/subscribers?limit=999999999999999999999999&starting_after=%00',
      ]
      await inParallel(scene, { total: paths.length * 5 * scene.scale, atOnce: 10 }, (index) =>
        client.send({ path: paths[index % paths.length] as string, headers: attacker.headers }),
      )
    },
  },
  {
    name: 'preflights from other sites',
    async run(scene) {
      await inParallel(scene, { total: 500 * scene.scale, atOnce: 50 }, async () => {
        const answer = await scene.client.send({
          method: 'OPTIONS',
          path: '/graphql',
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        })
        if (answer?.headers['access-control-allow-origin']) scene.fault('another site may send requests')
      })
    },
  },
]
