import { execFileSync } from 'node:child_process'
import { expect, inject, it } from 'vitest'
import { optionsForReporting } from '../statements/sent.ts'
import { takeFaults } from '../statements/this-process.ts'

it('a statement that touches several organizations is detected when a process of the service sends it', () => {
  const { execArgv, env } = optionsForReporting()
  const program = `
    import { connectDatabase } from './src/database/client.ts'
    const database = connectDatabase({ url: process.env.URL })
    await database.pool.query('select 19 from subscriber')
    await database.close()`
  const args = [...execArgv, '--input-type=module', '--eval', program]

  execFileSync(process.execPath, args, { env: { ...process.env, ...env, URL: inject('databaseUrl') } })

  expect(takeFaults()).toEqual([
    expect.stringContaining('may concern several organizations in subscriber:\nselect 19 from subscriber'),
  ])
})
