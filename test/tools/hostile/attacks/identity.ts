import { type Attack, inParallel } from '../attack.ts'

/** Each request comes from its own network, so counters by address do not stop the requests. */
const addressOf = (index: number) => `2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`

export const identityAttacks: Attack[] = [
  {
    name: 'sign-ins from many addresses',
    variant: 'production',
    async run(scene) {
      await inParallel(scene, { total: 400 * scene.scale, atOnce: 200 }, (index) =>
        scene.client.send({
          path: '/user/sign-in',
          headers: { 'x-forwarded-for': addressOf(index) },
          body: { email: `a${index}@example.org`, password: 'p'.repeat(1024) },
        }),
      )
    },
  },
  {
    name: 'sign-ups from many addresses',
    variant: 'production',
    async run(scene) {
      await inParallel(scene, { total: 200 * scene.scale, atOnce: 100 }, (index) =>
        scene.client.send({
          path: '/user/sign-up',
          headers: { 'x-forwarded-for': addressOf(index) },
          body: { email: `new${scene.seed}-${index}@example.org`, password: 'correct horse', display_name: 'x' },
        }),
      )
    },
  },
  {
    name: 'sign-ins from one address',
    async run(scene) {
      await inParallel(scene, { total: 500 * scene.scale, atOnce: 100 }, (index) =>
        scene.client.send({
          path: '/user/sign-in',
          body: { email: `b${index}@example.org`, password: 'correct horse' },
        }),
      )
    },
  },
  {
    name: 'invalid tokens, keys and cookies',
    async run(scene) {
      const { client } = scene
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const tokens = [
        `${part({ alg: 'none' })}.${part({ sub: 'x' })}.`,
        `${part({ alg: 'HS256', kid: '../../../etc/passwd' })}.${part({ iss: 'x' })}.AAAA`,
        `${part({ alg: 'EdDSA', crit: ['b64'], b64: false })}.${part({})}.${'A'.repeat(86)}`,
        `${part({ alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } })}.${part({})}.${'A'.repeat(86)}`,
        'a.'.repeat(6_000),
        'x'.repeat(12_000),
      ]
      await inParallel(scene, { total: 600 * scene.scale, atOnce: 50 }, (index) => {
        const token = tokens[index % tokens.length] as string
        switch (index % 3) {
          case 0:
            return client.send({ path: '/user', headers: { authorization: `Bearer ${token}` } })
          case 1:
            return client.send({ path: '/org', headers: { 'x-api-key': token } })
          default:
            return client.graphql('{ viewer { role } }', undefined, {
              origin: `http://127.0.0.1:${scene.server.port}`,
              cookie: `ent_user=${token}; ${'a=b; '.repeat(500)}`,
              'x-organization-id': token.slice(0, 100),
            })
        }
      })
    },
  },
]
