import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, migratedFolder, postgresProcesses, run, runCommand } from './server-process.ts'

const stopSignals = ['SIGINT', 'SIGTERM'] as const

function expectNothingRuns(dataDir: string): void {
  expect(postgresProcesses(dataDir)).toEqual([])
  expect(readdirSync(dataDir)).toEqual(expect.not.arrayContaining(['database-url', 'lock']))
}

describe('a command that started the embedded PostgreSQL', () => {
  it.each(stopSignals)('stops it after %s, and ends by that signal', async (signal) => {
    const dataDir = migratedFolder()
    const env = { DATA_DIR: dataDir }
    const created = JSON.parse((await runCommand('org-create', ['--name', 'Acme', '--json'], env)).stdout)
    // This command takes at least ten seconds.
    const args = ['--organization', created.organization_id, '--yes']
    const { child, ended } = run({ script: 'src/cli/org-delete.ts', args, env })
    await expect.poll(() => existsSync(join(dataDir, 'database-url'))).toBe(true)

    child.kill(signal)

    const stderr = `Stopped by ${signal} before the command had ended.\n`
    expect(await ended).toEqual({ code: null, signal, stdout: '', stderr })
    expectNothingRuns(dataDir)
  })

  it.each(['postgres.new', 'postgres/postmaster.pid'])(
    'stops it after a SIGINT that comes once %s exists',
    async (file) => {
      const dataDir = emptyFolder()
      const { child, ended } = run({ script: 'src/cli/migrate.ts', env: { DATA_DIR: dataDir } })
      await expect.poll(() => existsSync(join(dataDir, file)), { interval: 5 }).toBe(true)

      child.kill('SIGINT')

      expect(await ended).toMatchObject({ code: null, signal: 'SIGINT' })
      expectNothingRuns(dataDir)
    },
  )
})
