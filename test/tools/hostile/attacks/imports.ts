import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'

/** Nearly the longest line that an import buffers, without its end. */
const halfLine = `{"subscriber_id":"${'x'.repeat(60_000)}`
const importPath = '/org/subscribers/import'
/** The longest header, of text that PostgreSQL cannot compress. */
const longAgent = { 'user-agent': randomText(15_000) }

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}

/** An import whose body never ends. */
async function openImport({ client, answers }: AttackContext, key: string) {
  const socket = await client.open({ reads: false })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => {
      const status = received.slice(9, 12) || 'no answer'
      answers.count(status)
      resolve(status)
    })
  })
  socket.write(
    `POST ${importPath} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nContent-Type: application/x-ndjson\r\n` +
      'Content-Length: 1000000000000\r\n\r\n',
  )
  return {
    socket,
    /** The answer's status, once the server has closed the connection. */
    ended,
    /** Sends as fast as the server reads, until the connection ends. */
    async floodBody(bytes: Buffer) {
      while (!socket.destroyed) {
        if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), ended]).catch(() => {})
        await new Promise(setImmediate)
      }
    },
  }
}

/** A key of the role support, which may import, and a function that revokes it. */
async function addSupport({ client, attacker: { headers } }: AttackContext) {
  const post = async (path: string, body: object) =>
    JSON.parse((await client.send({ path, headers, body }))?.body ?? '{}')
  const account = await post('/org/service-accounts', { name: 'importer', role: 'support' })
  const path = `/org/service-accounts/${account.service_account_id}/api-keys`
  const created = await post(path, { name: 'importer' })
  return {
    key: created.key as string,
    revoke: () => client.send({ method: 'DELETE', path: `${path}/${created.key_id}`, headers }),
  }
}

/** Two connections of one key keep sending these bytes until the key is revoked. */
function withoutBatches(name: string, bytes: Buffer): Attack {
  return {
    name: `imports that contain only ${name}`,
    async run(scene) {
      const support = await addSupport(scene)
      const imports = [await openImport(scene, support.key), await openImport(scene, support.key)]
      const flooding = imports.map((each) => each.floodBody(bytes))
      await pause(scene, 500)

      const revoked = await support.revoke()
      if (revoked?.status !== 204) scene.fault(`the revocation of the key was answered ${revoked?.status}`)
      await expectEnded(scene, imports)
      await Promise.all(flooding)
      // The service refuses a body of only blanks even earlier.
      await expectOutcomes(scene, [400, 401])
    },
  }
}

type OpenImport = Awaited<ReturnType<typeof openImport>>

/** Expects the server to close all connections. */
async function expectEnded(scene: AttackContext, imports: readonly OpenImport[]): Promise<void> {
  for (const { ended, socket } of imports) {
    const status = await Promise.race([ended, pause(scene, 45_000).then(() => null)])
    if (status === null) scene.fault('an import went on for more than 45 seconds')
    socket.destroy()
  }
}

/** Expects these statuses in the log of the attacker's imports, not of their lines. */
async function expectOutcomes({ tenants, attacker, fault }: AttackContext, statuses: number[]): Promise<void> {
  const { rows } = await tenants.pool.query<{ status: number | null }>(
    `select status from audit_event where organization_id = $1 and route = $2 and params = '{}'`,
    [attacker.organizationId, importPath],
  )
  const others = rows.filter(({ status }) => status === null || !statuses.includes(status))
  if (others.length > 0) fault(`an import that had to end is recorded with ${others[0]?.status}`)
}

/** Counts refusals in the log. */
async function recordedRefusals({ tenants, attacker }: AttackContext): Promise<number> {
  const { rows } = await tenants.pool.query<{ count: number }>(
    `select count(*)::int as count from audit_event where organization_id = $1 and status in (403, 404, 409, 422)`,
    [attacker.organizationId],
  )
  return rows[0]?.count ?? 0
}

const perMinute = 600
const minuteOf = (now: number) => Math.floor(now / 60_000)

/** More refusals of one key than the log accepts in a minute, even if they span two. */
function refusals(name: string, role: string, [method, path]: [string, string]): Attack {
  return {
    name: `endless refusals of ${name}`,
    async run(scene) {
      const { client, attacker, scale } = scene
      const headers = { 'x-api-key': attacker.keys[role] as string, ...longAgent }
      const statuses = new Set<number>()
      const begunAt = Date.now()
      await inParallel(scene, { total: 2 * perMinute + 100 * scale, atOnce: 20 }, async () => {
        statuses.add((await client.send({ method, path, headers }))?.status ?? 0)
      })
      const minutes = minuteOf(Date.now()) - minuteOf(begunAt) + 1
      const recorded = await recordedRefusals(scene)
      scene.note(`${recorded} recorded`)
      if (recorded > perMinute * minutes) scene.fault(`${recorded} refusals of one actor were recorded in a minute`)
      if (!statuses.has(429)) scene.fault('no refusal was 429')
    },
  }
}

export const importAttacks: Attack[] = [
  {
    name: 'imports of half a line, whose key is revoked',
    async run(scene) {
      const support = await addSupport(scene)
      const imports = [await openImport(scene, support.key), await openImport(scene, support.key)]
      for (const { socket } of imports) socket.write('\n{"subscriber_id":')
      await pause(scene, 500)
      await support.revoke()
      await expectEnded(scene, imports)
      await expectOutcomes(scene, [401])
    },
  },
  withoutBatches('line feeds', Buffer.alloc(65_536, '\n')),
  withoutBatches('spaces', Buffer.alloc(65_536, ' ')),
  withoutBatches('blank lines', Buffer.alloc(65_536, ' \n')),
  {
    name: 'an import of short lines with a long user agent',
    async run(scene) {
      const { client, attacker, scale } = scene
      const headers = { ...attacker.headers, ...longAgent, 'content-type': 'application/x-ndjson' }
      const lines = Array.from({ length: 2_000 * scale }, (_, index) => `{"subscriber_id":"s${index}"}\n`).join('')
      const answer = await client.send({ path: importPath, headers, body: lines })
      if (answer?.status !== 200) scene.fault(`the import was answered ${answer?.status}`)
    },
  },
  {
    name: 'paths at their longest',
    async run(scene) {
      const { client, attacker, scale } = scene
      await inParallel(scene, { total: 50 * Math.min(scale, 10), atOnce: 10 }, async () => {
        const path = `/org/subscribers/${randomText(4_000)}/overrides/${randomText(4_000)}`
        const answer = await client.send({ method: 'DELETE', path, headers: attacker.headers })
        if (answer?.status !== 404) scene.fault(`an override with a long path was answered ${answer?.status}`)
      })
    },
  },
  refusals('forbidden requests', 'evaluator', ['DELETE', '/org/webhook']),
  {
    name: 'imports of many organizations that send nothing',
    async run(scene) {
      const { client, tenants, scale } = scene
      const opened: OpenImport[] = []
      for (let index = 0; index < 12 * scale; index++) {
        const { key } = await tenants.create()
        for (const each of [await openImport(scene, key), await openImport(scene, key)]) {
          each.socket.write(halfLine)
          opened.push(each)
        }
      }
      await pause(scene, 500)
      const { key } = await tenants.create()
      const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' }
      const answer = await client.send({ path: importPath, headers, body: '{"subscriber_id":"a"}\n' })
      if (answer?.status !== 200) scene.fault(`the import of another organization was answered ${answer?.status}`)
      if (scale === 1) return
      const timer = setInterval(() => opened.forEach(({ socket }) => void socket.write('x')), 10_000)
      await expectEnded(scene, opened)
      clearInterval(timer)
    },
  },
]
