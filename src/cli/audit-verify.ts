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
      "Checks the chain of audit logs, and prints a line for each finding: what happened (changed, missing, inserted, reordered, cut off), the organization, the position and the entry's id, with tabs between them. A dash stands for a position or an id that a finding does not have. If the signature or hash of a head or a cut is wrong, head or cut stands in place of the id. Exits with code 1 if anything was found.",
    )
    .option('--file <file>', 'checks an export of `npm run audit:export`: no database is needed')
    .addOption(
      new Option('--after <position>', 'the export begins after this position')
        .argParser(integerBetween(0, Number.MAX_SAFE_INTEGER))
        .conflicts('database'),
    )
    .addOption(
      new Option(
        '--database',
        "checks the log in the database, with the keys of this installation's MASTER_KEY",
      ).conflicts('file'),
    )
    .addOption(organizationOption.optional)
    .option(
      '--head <file>',
      "a file with heads that were stored elsewhere: an answer of GET /org/audit-events/head, or lines of the service's log. Only such heads reveal that the newest records were cut off together with the stored head. --organization says to which organization a head belongs if the head does not name it",
    )
    .option(
      '--keys <file>',
      'a file with the keys that verify heads: an answer of /.well-known/jwks.json, or several answers, one per line, if the master key was replaced. Without this option, the signatures in an export are not checked. With --database, only heads in --head that were signed with an earlier key need it',
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
