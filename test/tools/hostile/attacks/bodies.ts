import { type Attack, inParallel } from '../attack.ts'

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const fields = (count: number, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]))

/** Bodies of up to a megabyte that are costly to read, validate or answer. */
function bodies(): [method: string, path: string, body: string][] {
  const feature = '/org/features'
  const long = 'a'.repeat(1_000_000)
  return [
    ['POST', feature, nested('[', ']', 500_000)],
    ['POST', feature, '['.repeat(1_000_000)],
    ['POST', feature, `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['PUT', '/org/subscribers/s/overrides/f', `{"kind":"config","value":${nested('[', ']', 400_000)}}`],
    ['PUT', '/org/subscribers/s/overrides/f', `{"kind":"config","value":"${'\\ud83d\\ude80'.repeat(80_000)}"}`],
    ['PUT', '/org/subscribers/s/overrides/f', `{"kind":"config","value":[${'1e400,'.repeat(100_000)}1]}`],
    ['PUT', '/org/subscribers/s/overrides/f', `{"kind":"config","value":${'9'.repeat(900_000)}}`],
    [
      'PUT',
      '/org/subscribers/s/overrides/f',
      `{"kind":"flag","allowed":true,"expires_at":"${'2026-'.repeat(100_000)}"}`,
    ],
    ['POST', feature, JSON.stringify(fields(60_000, (index) => `kin${index}`))],
    ['POST', feature, JSON.stringify(fields(10, (index) => `nam${index}${long.slice(0, 90_000)}`))],
    ['POST', feature, `{"key":"${long}","name":"${long.slice(0, 10)}","kind":"flag"}`],
    // A body of the maximum depth and number of values.
    ['POST', feature, nested('[', ']', 149_000)],
    ['POST', feature, `${'{"a":'.repeat(74_000)}1${'}'.repeat(74_000)}`],
    ['PUT', '/org/subscribers/s/overrides/f', `{"kind":"config","value":[${'1e400,'.repeat(140_000)}1]}`],
    ['POST', feature, `{"key":"a","name":"${long}","kind":"flag"}`],
    [
      'POST',
      feature,
      JSON.stringify({ key: 'o', name: 'o', kind: 'config', value_type: 'enum', options: Array(250_000).fill('x') }),
    ],
    [
      'POST',
      feature,
      JSON.stringify({
        key: 'o',
        name: 'o',
        kind: 'config',
        value_type: 'enum',
        options: Array.from({ length: 90_000 }, (_, i) => `o${i}`),
      }),
    ],
    ['POST', '/org/plans', JSON.stringify({ key: 'p', name: 'p', grants: fields(60_000, (index) => `g${index}`) })],
    [
      'POST',
      '/org/plans',
      `{"key":"p","name":"p","grants":{"__proto__":{"kind":"flag"},"constructor":{"kind":"flag"}}}`,
    ],
    ['POST', '/org/subscribers', JSON.stringify({ subscriber_id: long })],
    ['POST', '/org/subscribers', `{"subscriber_id":"x","name":"\\u0000\\ud800"}`],
    [
      'POST',
      '/org/subscribers/s/entitlements/check',
      JSON.stringify({ features: Array.from({ length: 90_000 }, (_, i) => `f${i}`) }),
    ],
    ['POST', '/org/subscribers/s/subscriptions', JSON.stringify(fields(60_000, (index) => `plan${index}`))],
    ['PUT', '/org/webhook', JSON.stringify({ url: `http://${'a.'.repeat(400_000)}example` })],
    ['PUT', '/org/webhook', JSON.stringify({ url: `http://example.org/${'%'.repeat(900_000)}` })],
    [
      'POST',
      '/org/invites',
      JSON.stringify({ role: 'viewer', email: `${'a'.repeat(400_000)}@${'b.'.repeat(200_000)}` }),
    ],
    [
      'POST',
      '/user/sign-up',
      JSON.stringify({ email: `${'a@'.repeat(300_000)}`, password: long.slice(0, 300_000), display_name: 'x' }),
    ],
    ['POST', '/user/sign-in', JSON.stringify({ email: `a@${'-.'.repeat(300_000)}b`, password: 'x' })],
    ['POST', feature, `{${'"key":"a",'.repeat(90_000)}"name":"b"}`],
    ['POST', feature, `\ufeff${' '.repeat(1_000_000)}{}`],
    ['POST', feature, `"${'\\u0061'.repeat(160_000)}"`],
  ]
}

export const bodyAttacks: Attack[] = [
  {
    name: 'bodies that are costly to read',
    async run(scene) {
      const { client, attacker } = scene
      const headers = attacker.headers
      await client.send({
        path: '/org/features',
        headers,
        body: { key: 'f', name: 'f', kind: 'config', value_type: 'json' },
      })
      await client.send({ path: '/org/subscribers', headers, body: { subscriber_id: 's' } })
      const all = bodies()
      const slowest = { ms: 0, body: '' }
      await inParallel(scene, { total: all.length * Math.min(scene.scale, 10), atOnce: 2 }, async (index) => {
        const [method, path, body] = all[index % all.length] as [string, string, string]
        const begun = performance.now()
        await client.send({ method, path, headers, body })
        const ms = performance.now() - begun
        if (ms > slowest.ms) Object.assign(slowest, { ms, body: `${method} ${path} ${body.slice(0, 40)}` })
      })
      scene.note(`slowest answer ${slowest.ms.toFixed(0)} ms, to ${slowest.body}`)
    },
  },
  {
    name: 'bodies of many small parts, held at once',
    async run(scene) {
      const { client, attacker } = scene
      // One body with almost the maximum number of values, and one with more, which is refused unread. Both are encoded once,
      // because the attacker shares the processor with the service.
      const most = Buffer.from(`[${'[],'.repeat(37_000)}"${'p'.repeat(900_000)}"]}`)
      const more = Buffer.from(`[${'[],'.repeat(330_000)}[]]}`)
      const padded = (head: string, index: number) =>
        Buffer.concat([Buffer.from(`${head},"padding":`), index % 4 === 3 ? more : most])
      const atOnce = 100
      await inParallel(scene, { total: 100 * scene.scale, atOnce }, (index) =>
        client.send({
          path: '/user/sign-in',
          body: padded(`{"email":"held${index}@example.org","password":"correct horse"`, index),
        }),
      )
      const { headers } = attacker
      await inParallel(scene, { total: 100 * scene.scale, atOnce }, (index) =>
        client.send({ path: '/graphql', headers, body: padded('{"query":"{ features { key } }"', index) }),
      )
      await inParallel(scene, { total: 100 * scene.scale, atOnce }, (index) =>
        client.send({ path: '/org/subscribers', headers, body: padded(`{"subscriber_id":"h${index}"`, index) }),
      )
    },
  },
]
