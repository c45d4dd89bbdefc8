import { isUlid } from '../core/ids.ts'
import { printNote, writeLines } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import type { SignedHead } from '../recording/chain/head.ts'
import { type Finding, toLine } from '../recording/chain/judge.ts'
import { readHeads, readKeys } from './audit/told-heads.ts'
import { verifyFile } from './audit/verify-file.ts'
import { runCommand } from './command.ts'

await runCommand({
  help: `Usage: npm run --silent audit:verify -- (--file F [--after P] | --database) [--head H] [--keys JWKS]

Checks the chain of audit logs, and prints a line for each finding: what happened (changed, missing, inserted, reordered, cut
off), the organization, the position and the entry's id, with tabs between them. The last two are - where there is none; a head
or a cut whose signature is wrong, or whose hash is another one, has head or cut instead of an id. Exits with code 1 if anything
was found.

  --file F          an export of \`npm run audit:export\`: no database is needed
  --after P         the export begins after this position
  --database        the log in the database, with the keys of this installation's MASTER_KEY
  --organization ID only this organization's log; or of which one the head of --head is, if it does not say so
  --head H          a file with heads that were kept elsewhere: an answer of GET /org/audit-events/head, or lines of the service's
                    log. Only these tell that the newest records were cut off together with the stored head
  --keys JWKS       a file with the keys that sign heads, as /.well-known/jwks.json answers them; several answers, each in a line,
                    where the master key was replaced. Without it, the signatures in an
                    export are not checked; with --database, it is for heads of --head that were signed with an earlier key`,
  options: {
    file: { type: 'string' },
    database: { type: 'boolean' },
    organization: { type: 'string' },
    head: { type: 'string' },
    keys: { type: 'string' },
    after: { type: 'string' },
  },
  check({ file, database, organization, after }) {
    if ((file === undefined) === (database !== true)) throw new StartupError('Give either --file or --database.')
    if (database === true && after !== undefined) throw new StartupError('--after is for --file.')
    if (organization !== undefined && !isUlid(organization))
      throw new StartupError(`--organization must be an organization's id, but is ${JSON.stringify(organization)}.`)
    if (after !== undefined && !/^\d{1,15}$/.test(after))
      throw new StartupError(`--after must be a position, a whole number, but is ${JSON.stringify(after)}.`)
  },
  async runLong({ config, options }) {
    const organization = options.organization ?? null
    const heads: SignedHead[] = options.head === undefined ? [] : await readHeads(options.head, organization)
    let found = 0
    const tell = async (organizationId: string, findings: readonly Finding[]) => {
      found += findings.length
      await writeLines(findings.map((finding) => toLine(organizationId, finding)))
    }
    const keys = options.keys === undefined ? null : await readKeys(options.keys)
    let records: number
    if (options.file !== undefined) {
      if (keys === null) printNote('Without --keys, signatures are not checked.')
      records = await verifyFile({ path: options.file, heads, keys, after: Number(options.after ?? 0), tell })
    } else {
      const { verifyDatabaseOf } = await import('./audit/on-database.ts')
      records = await verifyDatabaseOf(config, { organization, heads, keysOfHeads: keys ?? [], tell })
    }
    if (found > 0) throw new StartupError(`${found} findings in ${records} records.`)
    return `${records} records are as they were signed.`
  },
})
