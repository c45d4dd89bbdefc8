import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from 'libpg-query'
import { inject } from 'vitest'
import { followStatements, statementsFileVariable } from './sent.ts'
import { TenancyChecker } from './tenancy-checker.ts'

await loadModule()
const checker = new TenancyChecker(inject('tablesWithOrganization'))
followStatements((text, values) => checker.check(text, values))

const sentByChildren = join(inject('statementsFolder'), String(process.pid))
// The processes of the service that tests start write to this file: see child.ts.
process.env[statementsFileVariable] = sentByChildren

/** Null for an empty line, or one that a killed process left unfinished. */
function parse(line: string): string | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** The findings about the statements that this process and its children sent since the last call. */
export function takeFaults(): string[] {
  if (existsSync(sentByChildren)) {
    const lines = readFileSync(sentByChildren, 'utf8').split('\n')
    rmSync(sentByChildren)
    for (const text of lines.map(parse)) if (text !== null) checker.check(text)
  }
  return checker.takeFaults()
}
