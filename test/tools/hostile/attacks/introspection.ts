import { type Attack, inParallel, pause } from '../attack.ts'

/** Requests the whole schema under this many aliases. Fragments count only once, however often they are spread. */
function introspectionOf(aliases: number): string {
  const leaf = Array.from({ length: 36 }, (_, index) => `a${index}: name b${index}: description`).join(' ')
  const fields = (inner: string) => `fields { ...L type { ${inner} } }`
  const wrapped = fields(
    `fields { ...L } ofType { fields { ...L } ofType { fields { ...L } ofType { fields { ...L } } } }`,
  )
  const roots = Array.from({ length: aliases }, (_, index) => `s${index}: __schema { ...S }`).join(' ')
  return `fragment L on __Field { ${leaf} } fragment S on __Schema { types { ${wrapped} } } { ${roots} }`
}

/** Two kilobytes that request about forty megabytes, within the limits on fields, aliases and depth. */
const introspection = introspectionOf(25)

export const introspectionAttacks: Attack[] = [
  {
    name: 'introspection, ten at once',
    async run(scene) {
      let largest = 0
      await inParallel(scene, { total: 10 * scene.scale, atOnce: 10 }, async () => {
        const answer = await scene.client.graphql(introspection, undefined, scene.attacker.headers)
        largest = Math.max(largest, answer?.body.length ?? 0)
      })
      scene.note(`largest answer ${(largest / 1e6).toFixed(1)} MB`)
      if (largest > 4 * 2 ** 20) scene.fault(`an introspection answer had ${largest} bytes`)
    },
  },
  {
    name: 'introspection by an anonymous client in production',
    variant: 'production',
    async run({ client, fault }) {
      for (const query of [introspection, '{ __schema { queryType { name } } }', '{ __type(name: "Plan") { name } }']) {
        const answer = await client.graphql(query)
        if (answer && /"(queryType|types|name)":/.test(answer.body)) fault('an anonymous client may introspect')
      }
      const free = await client.graphql('{ __typename }')
      if (!free?.body.includes('"__typename":"Query"')) fault('__typename is not free')
    },
  },
  {
    name: 'answers that nobody reads',
    async run(scene) {
      const { client, attacker, scale } = scene
      const body = JSON.stringify({ query: introspectionOf(10) })
      const post =
        `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${attacker.key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      const page = 'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n'
      for (let index = 0; index < 15 * scale; index++) {
        const socket = await client.open({ reads: false })
        socket.write(index % 3 === 2 ? page : post)
      }
      await pause(scene, scale > 1 ? 30_000 : 3_000)
    },
  },
  {
    name: 'many requests on a connection that nobody reads',
    async run(scene) {
      const page = 'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n'
      const health = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
      for (let index = 0; index < 3 * scene.scale; index++) {
        const socket = await scene.client.open({ reads: false })
        socket.write(page.repeat(500))
        const other = await scene.client.open({ reads: false })
        other.write(health.repeat(20_000))
      }
      await pause(scene, scene.scale > 1 ? 20_000 : 3_000)
    },
  },
]
