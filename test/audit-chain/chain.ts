import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { verifyDatabase } from '../../src/cli/audit/verify-database.ts'
import { createVault } from '../../src/core/vault.ts'
import { deriveAuditKeys } from '../../src/database/master-key.ts'
import { type Finding, toLine } from '../../src/recording/chain/chain-verifier.ts'
import type { SignedHead } from '../../src/recording/chain/head.ts'
import { chainBatch } from '../../worker/jobs/chain-audit.ts'
import { runCommand, temporaryFolder } from '../start/server-process.ts'
import { createTestClock } from '../support/delivery.ts'
import { testMasterKey } from '../support/master-key.ts'

export const auditKeys = deriveAuditKeys(createVault(Buffer.from(testMasterKey, 'base64')))

/** Chains all final entries of the organization; resolves to the position of the last record. */
export async function chainAllEntries(
  pool: pg.Pool,
  organizationId: string,
  clock = createTestClock(),
): Promise<number> {
  const options = { pool, clock, keys: auditKeys }
  for (let isFull = true, isNew = true; isFull || isNew; ) {
    const [part] = await chainBatch(options, [organizationId], { rows: 500, bytes: 1_000_000 })
    isNew = part === undefined
    isFull = part?.isFull ?? true
  }
  const { rows } = await pool.query('select position::int from audit_chain where organization_id = $1', [
    organizationId,
  ])
  return rows[0].position
}

type Environment = Record<string, string>

/** Checks an organization's chain like `audit:verify --database`; resolves to the kind, position and entry of each finding. */
export async function verifyChain(url: string, organization: string, heads: readonly SignedHead[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lines: string[] = []
  const report = async (organizationId: string, findings: readonly Finding[]) =>
    void lines.push(...findings.map((finding) => toLine(organizationId, finding)))
  try {
    await verifyDatabase({ client, organization, heads, keys: auditKeys, report })
  } finally {
    await client.end()
  }
  return lines.map(toFinding)
}

function toFinding(line: string): string[] {
  const [kind = '', , position = '', id = ''] = line.split('\t')
  return [kind, position, id]
}

/** Runs `audit:verify`; resolves to the kind, position and entry of each finding. */
export async function runAuditVerify(env: Environment, ...args: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await runCommand('audit-verify', args, env)
  const lines = stdout.split('\n').filter((line) => line.includes('\t'))
  if ((code === 0) !== (lines.length === 0)) throw new Error(`exit code ${code}: ${stdout} ${stderr}`)
  return lines.map(toFinding)
}

/** Runs `audit:export`; resolves to the lines of its output. */
export async function runAuditExport(env: Environment, organizationId: string, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand('audit-export', ['--organization', organizationId, ...args], env)
  if (code !== 0) throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

/** Writes the lines to a temporary file; returns its path. */
export function writeLines(lines: readonly string[]): string {
  const path = join(temporaryFolder(), 'lines')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}
