import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { canEnter } from '../../../../src/database/embedded/run-as.ts'
import type { Attack } from '../attack.ts'

const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }

/** Opens connections without signing in, keeps them for a second, and prints their number. */
const halfSignIns = `
  const [, path, count] = process.argv
  let opened = 0
  for (let i = 0; i < count; i++) require('node:net').connect(path, () => opened++).on('error', () => {})
  setTimeout(() => { console.log(opened); process.exit() }, 1000)`

export const startAttacks: Attack[] = [
  {
    name: 'unfinished sign-ins at the embedded PostgreSQL by another user of the machine',
    async run({ tenants: { pool }, scale, fault, note }) {
      const { rows } = await pool.query<{ addresses: string }>(
        `select current_setting('listen_addresses') as addresses`,
      )
      if (rows[0]?.addresses !== '') fault(`PostgreSQL listens at a port of ${rows[0]?.addresses}`)
      // Only root can switch users.
      if (process.getuid?.() !== 0 || !canEnter(process.execPath, nobody)) return

      const folder = new URL(pool.options.connectionString as string).searchParams.get('host')
      const args = ['-e', halfSignIns, `${folder}/.s.PGSQL.5432`, `${150 * scale}`]
      const { uid, gid } = nobody
      const child = spawn(process.execPath, args, { uid, gid, stdio: ['ignore', 'pipe', 'inherit'] })
      const opened = Number(await text(child.stdout))
      note(`${opened} of ${150 * scale} opened`)
      if (opened !== 0) fault(`another user opened ${opened} connections`)
    },
  },
]
