import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadModule } from 'libpg-query'
import { inject } from 'vitest'
import { Judge } from './judge.ts'
import { followStatements, sentToVariable } from './sent.ts'

await loadModule()
const judge = new Judge(inject('tablesWithOrganization'))
followStatements((text, values) => judge.hear(text, values))

const folder = mkdtempSync(join(tmpdir(), 'entitlements-sent-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const sentByChildren = join(folder, 'statements')
// The processes of the service that tests start write to this file: see child.ts.
process.env[sentToVariable] = sentByChildren

/** The findings about the statements that this process and its children sent since the last call. */
export function takeFaults(): string[] {
  if (existsSync(sentByChildren)) {
    const lines = readFileSync(sentByChildren, 'utf8').split('\n')
    rmSync(sentByChildren)
    for (const line of lines) if (line.endsWith('"')) judge.hear(JSON.parse(line))
  }
  return judge.takeFaults()
}
