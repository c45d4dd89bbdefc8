import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { type Context, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'
import { parseMapping } from '../import/parse-mapping.ts'
import { formatOf, readRows } from '../import/read-rows.ts'
import { createRefusedFile } from '../import/refused-file.ts'
import { describeRepeatedRows, findRepeatedRows } from '../import/repeated-rows.ts'
import { type Counts, sendRows } from '../import/send-rows.ts'
import { countOf, formatNumber } from '../output.ts'
import { exitCodes, Problem } from '../problem.ts'

/** The number of refused lines that are printed; the file of refused rows has all of them. */
const maxShown = 20

export const importFile = ({ env, output }: Context) =>
  new Command('import')
    .summary('create and change subscribers from a CSV or NDJSON file')
    .description(
      `Imports subscribers with their plans and overrides. Each line describes one subscriber. Fields that a line leaves out, and empty cells, change nothing. So the same file can be imported again. If FILE is -, the command reads standard input.

A line of NDJSON: {"subscriber_id":"acme","name":"Acme","plan_id":"pro","overrides":{"seats":{"kind":"limit","limit":50}}}
The columns of a CSV file: subscriber_id, name, plan_id, and overrides.FEATURE with true or false, a number or "unlimited", or the value of a config. An override may also have overrides.FEATURE.starts_at, .expires_at and .note; starts_at, expires_at and note alone are for all overrides of a row. If the columns of a file have other names, --map names the column of each field; columns that match no field are listed, and not imported. A file that the service exported can be imported as it is.

Exits with 0, or 1 if a line was refused.`,
    )
    .argument('<file>', 'a CSV or NDJSON file, or - for standard input')
    .option('--map <field=column,…>', 'for each field, its column in the file, or its name in NDJSON')
    .option('--dry-run', 'changes nothing, and reports what the import would do')
    .option('--refused <file>', 'writes refused lines and their errors to this file, to be corrected and imported')
    .option('--format <csv|ndjson>', 'the format, if the extension of the file does not show it')
    .option('--delimiter <character>', 'the character between the cells of a CSV file, a comma by default')
    .addOption(urlOption)
    .addHelpText(
      'after',
      examples(
        'entitlements import customers.csv --dry-run',
        'entitlements import crm.csv --map "subscriber_id=Customer No,plan_id=Plan" --refused refused.csv',
        'entitlements import customers.ndjson',
      ),
    )
    .action(async (path, options) => {
      const { map, refused: refusedPath, delimiter = ',', url, dryRun: isDryRun = false } = options
      const format = formatOf(path, options.format)
      const mapping = map === undefined ? null : parseMapping(map)
      if (path !== '-' && !existsSync(path)) throw new Problem(`There is no file ${path}.`, { code: 'NO_FILE' })
      if (refusedPath !== undefined && resolve(refusedPath) === resolve(path)) {
        throw new Problem('--refused must name a file other than the one to import.', { code: 'USAGE' })
      }
      if (delimiter === '') throw new Problem('--delimiter must be a character, such as ";".', { code: 'USAGE' })
      const connection = connect(env, url)
      const source = await readRows({ path, format, delimiter, mapping, connection })
      if (source.ignored.length > 0) {
        const names = source.ignored.map((column) => `"${column}"`).join(', ')
        output.note(
          `Not imported: the ${source.ignored.length === 1 ? 'column' : 'columns'} ${names}. Use --map to name the field of a column.`,
        )
      }
      const file = createRefusedFile(refusedPath, source)
      const repeated = findRepeatedRows(source.rows)
      let shown = 0
      const counts = await sendRows(repeated.rows, {
        connection,
        isDryRun,
        onProgress: (counts) => output.progress(describe(counts)),
        onRefused(row, error) {
          file.add(row, error)
          if (++shown <= maxShown) output.note(`line ${row.number}: ${error}`)
        },
      })

      const { refused } = counts
      if (refused > maxShown) output.note(`… and ${formatNumber(refused - maxShown)} more`)
      output.print(`${isDryRun ? 'Nothing was changed. The result would be: ' : ''}${describe(counts)}`)
      const written = refused > 0 ? (refusedPath ?? null) : null
      if (written !== null) output.print(`The refused lines are in ${written}. Correct them, and import that file.`)
      for (const line of describeRepeatedRows(repeated)) output.note(line)
      const isRepeated = repeated.count > 0 && { repeated: repeated.count }
      output.json({ ...counts, ...isRepeated, is_dry_run: isDryRun, refused_file: written })
      if (refused > 0) process.exitCode = exitCodes.failed
    })

function describe({ lines, created, updated, unchanged, refused }: Counts): string {
  const parts = Object.entries({ created, updated, unchanged, refused }).map(
    ([name, count]) => `${formatNumber(count)} ${name}`,
  )
  return `${countOf(lines, 'line')}: ${parts.join(', ')}`
}
