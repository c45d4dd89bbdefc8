import { type Attack, inParallel } from '../attack.ts'

const mutation = 'mutation($input: CreateFeatureInput!) { createFeature(input: $input) { key } }'

/** Requests to the GraphQL API from callers without a key. */
export const documentAttacks: Attack[] = [
  {
    name: 'variables with unknown fields',
    async run({ client, scale }) {
      for (const count of [1_000, 5_000, 20_000, 90_000].slice(0, scale > 1 ? 4 : 3)) {
        const input = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
        await client.graphql(mutation, { input })
      }
    },
  },
  {
    name: 'variables that nest, repeat and have no matching field',
    async run({ client, attacker: { headers } }) {
      const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
      const variables = [
        deep('[', ']', 400_000),
        deep('{"a":', '}', 100_000),
        `{"input":${deep('[', ']', 100_000)}}`,
        `{"input":{"key":"a","name":"b","kind":"FLAG","options":[${'1,'.repeat(400_000)}1]}}`,
        `{"input":{"key":"a","name":"b","kind":"${'K'.repeat(900_000)}"}}`,
        `{"input":{"${'k'.repeat(900_000)}":1}}`,
        `{${Array.from({ length: 60_000 }, (_, index) => `"v${index}":1`).join()}}`,
        `{"__proto__":{"input":{}},"constructor":{"prototype":{}}}`,
      ]
      for (const text of variables) {
        const body = `{"query":${JSON.stringify(mutation)},"variables":${text}}`
        await client.send({ path: '/graphql', body })
        await client.send({ path: '/graphql', body, headers })
      }
    },
  },
  {
    name: 'broken documents of a megabyte',
    async run(scene) {
      const filler = 'x'.repeat(1_000_000)
      await inParallel(scene, { total: 30 * scene.scale, atOnce: 4 }, (index) =>
        scene.client.send({ path: '/graphql', body: `{"query":"{ a # ${index} ${filler}"}` }),
      )
    },
  },
  {
    name: 'documents that all differ',
    async run(scene) {
      const filler = 'y'.repeat(200_000)
      await inParallel(scene, { total: 60 * scene.scale, atOnce: 4 }, (index) =>
        scene.client.send({ path: '/graphql', body: `{"query":"{ __typename a${index}: nothing # ${filler}"}` }),
      )
      await inParallel(scene, { total: 200 * scene.scale, atOnce: 4 }, (index) =>
        scene.client.graphql(`query Q${index} { viewer { role } }`, undefined, scene.attacker.headers),
      )
    },
  },
  {
    name: 'circular fragments',
    async run({ client }) {
      const circle = (length: number) =>
        Array.from({ length }, (_, index) => `fragment F${index} on Query { ...F${(index + 1) % length} }`).join(' ')
      for (const length of [1, 2, 50, 600]) await client.graphql(`{ ...F0 } ${circle(length)}`)
      const tree = Array.from(
        { length: 60 },
        (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
      )
      await client.graphql(`{ ...F0 } ${tree.join(' ')} fragment F60 on Query { __typename }`)
      const chain = Array.from({ length: 900 }, (_, index) => `fragment F${index} on Query { ...F${index + 1} }`)
      await client.graphql(`{ ...F0 } ${chain.join(' ')} fragment F900 on Query { __typename }`)
    },
  },
  {
    name: 'documents that are slow to validate',
    async run({ client }) {
      for (const query of slowDocuments()) await client.graphql(query)
    },
  },
]

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

function slowDocuments(): string[] {
  const long = 'n'.repeat(900_000)
  return [
    `{ ${repeat(1300, (index) => `a${index}: __typename`)} }`,
    `{ ${repeat(450, () => 'feature(key: "x") { name }')} }`,
    `{ ${repeat(400, (index) => `...F${index}`)} } ${repeat(400, (index) => `fragment F${index} on Query { a: __typename }`)}`,
    `mutation { createFeature(input: { ${repeat(900, (index) => `f${index}: 1`)} }) { key } }`,
    `{ plans { grants { ${repeat(480, (index) => `feature${index}`)} } } }`,
    `query(${repeat(900, (index) => `$v${index}: Strin`)}) { __typename }`,
    `{ __typename ${repeat(1300, () => '@skip(if: true)')} }`,
    repeat(900, (index) => `query Q${index} { __typename }`),
    `{ ${long} }`,
    `{ feature(key: "${long}") { key } }`,
    `{ feature(key: """${'\\n '.repeat(250_000)}""") { key } }`,
    `{ check(subscriberId: "x", feature: "y", ${long}: 1) { allowed } }`,
    `{ plans(includeArchived: ${'['.repeat(190)}${']'.repeat(190)}) { key } }`,
    `{ plans(includeArchived: ${'['.repeat(100_000)} }`,
    `{ auditEvents(filter: { method: ${long} }) { nodes { id } } }`,
    `# ${long}\n{ __typename }`,
    ','.repeat(1_000_000),
    '{'.repeat(1_000_000),
    `\u{feff}${' \t\n'.repeat(300_000)}`,
  ]
}
