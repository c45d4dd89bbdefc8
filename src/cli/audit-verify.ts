import { Option } from '@commander-js/extra-typings'
import { loadConfig } from '../config.ts'
import { print, printNote, writeLines } from '../core/print.ts'
import { StartupError } from '../core/startup-error.ts'
import { type Finding, toLine } from '../recording/chain/chain-verifier.ts'
import type { SignedHead } from '../recording/chain/head.ts'
import { readHeads, readKeys } from './audit/trusted-heads.ts'
import { verifyFile } from './audit/verify-file.ts'
import { command, integerBetween, organizationOption, run } from './command.ts'

await run(
  command('audit:verify', 'npm run --silent')
    .usage('(--file FILE | --database) [options]')
    .description(
      "Checks the chain of audit logs, and prints a line for each finding: what happened (changed, missing, inserted, reordered, cut off), the organization, the position and the entry's id, with tabs between them. The last two are - if there is none; for a head or a cut with a wrong signature or hash, the last one is head or cut. Exits with code 1 if anything was found.",
    )
    .option('--file <file>', 'an export of `npm run audit:export`: no database is needed')
    .addOption(
      new Option('--after <position>', 'the export begins after this position')
        .argParser(integerBetween(0, Number.MAX_SAFE_INTEGER))
        .conflicts('database'),
    )
    .addOption(
      new Option('--database', "the log in the database, with the keys of this installation's MASTER_KEY").conflicts(
        'file',
      ),
    )
    .addOption(organizationOption.optional)
    .option(
      '--head <file>',
      "heads that were stored elsewhere: an answer of GET /org/audit-events/head, or lines of the service's log. Only they reveal that the newest records were cut off together with the stored head. --organization names the log of a head that does not name it",
    )
    .option(
      '--keys <file>',
      'the keys that sign heads, as /.well-known/jwks.json returns them; several answers, one per line, if the master key was replaced. Without this option, the signatures in an export are not checked; with --database, it is for heads of --head that were signed with an earlier key',
    )
    .action(async ({ file, database, after = 0, organization = null, head, keys: keysFile }) => {
      if (file === undefined && !database) throw new StartupError('Give either --file or --database.')
      const heads: SignedHead[] = head === undefined ? [] : await readHeads(head, organization)
      let found = 0
      const report = async (organizationId: string, findings: readonly Finding[]) => {
        found += findings.length
        await writeLines(findings.map((finding) => toLine(organizationId, finding)))
      }
      const keys = keysFile === undefined ? null : await readKeys(keysFile)
      let records: number
      if (file !== undefined) {
        if (keys === null) printNote('Without --keys, signatures are not checked.')
        records = await verifyFile({ path: file, heads, keys, after, report })
      } else {
        const { verifyConfiguredDatabase } = await import('./audit/verify-configured-database.ts')
        records = await verifyConfiguredDatabase(loadConfig(process.env), {
          organization,
          heads,
          keysOfHeads: keys ?? [],
          report,
        })
      }
      if (found > 0) throw new StartupError(`${found} findings in ${records} records.`)
      print(`${records} records are as they were signed.`)
    }),
)
