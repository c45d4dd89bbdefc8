import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseRunAs } from '../../src/database/embedded/run-as.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { onlyLine, run, runCommand, startServer, temporaryFolder } from '../start/server-process.ts'
import { administer } from '../support/administer.ts'
import { cert, key } from '../support/certificate.ts'
import { copyDataFolder } from '../support/data-folder.ts'
import { createLongPathFolder } from '../support/long-path-folder.ts'

/** The statements of the page's first two blocks: before the first start, and after it. */
const [before = '', after = ''] = Array.from(
  readFileSync('docs/operations/database.md', 'utf8').matchAll(/```sql\n(.*?)```/gs),
  ([, statements]) => statements,
)

/** A PostgreSQL on TCP with this certificate, which only the tests trust. */
async function startWithTls() {
  const dataDir = copyDataFolder(createLongPathFolder('entitlements-tls'))
  const { user } = chooseRunAs(null, () => {})
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const files = { ssl_cert_file: file('server.crt', cert), ssl_key_file: file('server.key', key) }
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', ssl: 'on', ...files },
  })
  onTestFinished(() => postgres.stop())
  return { ...postgres, authority: files.ssl_cert_file }
}

async function connectionsOf(url: string): Promise<{ all: number; encrypted: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select count(*)::int as all, count(*) filter (where ssl)::int as encrypted
        from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'entitlements-service%'`)
    return rows[0]
  } finally {
    await client.end()
  }
}

describe("an operator's own PostgreSQL", () => {
  it('needs only the role in the operations manual, and is reached over TLS with sslmode=verify-full', async () => {
    const postgres = await startWithTls()
    const server = new URL('/postgres', postgres.superuserUrl)
    await administer(server.href, 'drop database entitlements with (force)')
    await administer(server.href, 'drop role entitlements')
    const [ofServer = '', ofDatabase = ''] = before.split('\\c entitlements\n')
    for (const statement of ofServer.split(';\n').filter(Boolean)) await administer(server.href, statement)
    await administer(postgres.superuserUrl, ofDatabase)
    const url = new URL(postgres.superuserUrl)
    Object.assign(url, { username: 'entitlements', password: 'change me', hostname: 'localhost' })
    const withTls = (parameters: Record<string, string>) => {
      return { DATABASE_URL: `${url.href}?${new URLSearchParams({ sslmode: 'verify-full', ...parameters })}` }
    }
    const env = withTls({ sslrootcert: postgres.authority })

    expect(onlyLine(await run({ env: withTls({}) }).ended)).toMatch(/self-signed certificate/)
    const first = await startServer({ env })
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    await administer(postgres.superuserUrl, after)
    const second = await startServer({ env })

    expect((await fetch(`${second.url}/readyz?writes=true`)).status).toBe(200)
    expect(await runCommand('org-create', ['--name', 'Acme'], env)).toMatchObject({ code: 0, stderr: '' })
    const { all, encrypted } = await connectionsOf(postgres.superuserUrl)
    expect(encrypted).toBe(all)
    expect(all).toBeGreaterThan(0)
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
