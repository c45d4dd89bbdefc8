import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'

const signUp = 'mutation($input: SignUpInput!) { signUp(input: $input) { userId } }'

function cookieOf(scene: AttackContext, index: number, headers: Record<string, string>) {
  const input = {
    email: `host${scene.seed}-${Date.now()}-${index}@example.org`,
    password: 'correct horse',
    displayName: 'x',
  }
  return scene.client.graphql(signUp, { input }, headers)
}

export const hostAttacks: Attack[] = [
  {
    name: 'a page whose DNS name was rebound to this machine',
    async run(scene) {
      const { port } = scene.server
      const own = await cookieOf(scene, 0, { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })
      if (!own?.headers['set-cookie']) scene.fault('a page of the service itself gets no cookie')
      for (const host of [
        `evil.example:${port}`,
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        '0x7f.1',
        '[::ffff:808:808]',
      ]) {
        const answer = await cookieOf(scene, 1, { host, origin: `http://${host}` })
        if (answer?.headers['set-cookie']) scene.fault(`a page of ${host} gets a cookie`)
      }
    },
  },
  {
    name: 'invalid forwarded schemes and hosts',
    variant: 'production',
    async run({ client, attacker, fault }) {
      const forged: [name: string, value: string][] = [
        ['x-forwarded-proto', 'javascript'],
        ['x-forwarded-proto', 'ftp'],
        ['x-forwarded-host', 'evil.example/path?'],
        ['x-forwarded-host', 'a b'],
        ['x-forwarded-host', '"><script>'],
        ['x-forwarded-host', 'user:pass@evil.example'],
      ]
      for (const [name, value] of forged) {
        const headers = { ...attacker.headers, [name]: value }
        const answer = await client.send({ path: '/org/invites', headers, body: { role: 'viewer' } })
        if (answer && answer.status < 400) fault(`${name}: ${value} is taken: ${answer.body.slice(0, 300)}`)
      }
    },
  },
  {
    name: 'webhooks to internal addresses',
    variant: 'production',
    async run(scene) {
      const { client, attacker, fault } = scene
      const headers = attacker.headers
      for (const url of [
        'http://127.0.0.1:5432/',
        'http://localhost:4000/',
        'http://[::1]/',
        'http://169.254.169.254/',
        'http://0/',
        'http://2130706433/',
      ]) {
        await client.send({ method: 'PUT', path: '/org/webhook', headers, body: { url } })
        await client.graphql('mutation { sendTestEvent { id } }', undefined, headers)
        await pause(scene, 700)
        const events = await client.graphql(
          '{ webhookEvents(first: 1) { nodes { state attempts { error } } } }',
          undefined,
          headers,
        )
        const shown = events?.body ?? ''
        if (/"DELIVERED"/.test(shown)) fault(`an event went to ${url}`)
        if (url.includes('localhost') && /127\.0\.0\.1|::1/.test(shown))
          fault(`the answer shows the internal address: ${shown.slice(0, 400)}`)
      }
    },
  },
  {
    name: 'clients behind an unknown proxy',
    async run(scene) {
      await inParallel(scene, { total: 200, atOnce: 20 }, (index) =>
        scene.client.send({
          path: '/org',
          headers: { ...scene.attacker.headers, 'x-forwarded-for': `203.0.113.${index}` },
        }),
      )
    },
  },
  {
    name: 'files of the database server',
    async run({ tenants, fault }) {
      for (const sql of [
        `select pg_read_file('/etc/passwd')`,
        `copy (select 1) to '/tmp/entitlements-hostile'`,
        `copy (select 1) to program 'true'`,
      ]) {
        const isRefused = await tenants.pool.query(sql).then(
          () => false,
          () => true,
        )
        if (!isRefused) fault(`the service's role may: ${sql}`)
      }
    },
  },
]
