import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { assertUrlIsFor, defaultCatalogFile, defaultSide, loadSide, parseSide } from '../catalog/side.ts'
import { type Context, examples } from '../command.ts'
import { defaultPrefix, urlOption } from '../connection.ts'
import { countOf } from '../output.ts'
import { exitCodes } from '../problem.ts'
import { writeDeclarations } from '../types/declarations.ts'
import { writeManifest } from '../types/flag-manifest.ts'

const defaultOutput = 'entitlements.d.ts'

export const types = ({ env, output }: Context) =>
  new Command('types')
    .summary('write the keys of the catalog as TypeScript, and as a flag manifest for OpenFeature')
    .description(
      `Writes ${defaultOutput}, which declares the features for @entitlements-service/client: a misspelled key does not compile, and a config has its type. With --manifest, also writes the flag manifest from which OpenFeature's command line generates accessors. The catalog is ${defaultCatalogFile} if there is one, and otherwise that of the service.

With --check, the command writes nothing, and exits with 2 if a file is not up to date.`,
    )
    .option('--out <file>', `a file other than ${defaultOutput}`)
    .option('--manifest <file>', 'also writes the flag manifest, such as flags.json')
    .option('--from <catalog>', `a file, or env:${defaultPrefix} for the service`)
    .addOption(urlOption)
    .option('--check', 'writes nothing, and exits with 2 if a file is not up to date')
    .addHelpText(
      'after',
      examples(
        'entitlements types',
        'entitlements types --out src/entitlements.d.ts --manifest flags.json',
        'entitlements types --check',
      ),
    )
    .action(async ({ out = defaultOutput, manifest, from = defaultSide(), url, check = false }) => {
      assertUrlIsFor([from], url)
      const { catalog, name } = await loadSide(parseSide(from, { env, url }), null)
      const files = [
        { path: out, text: writeDeclarations(catalog) },
        ...(manifest === undefined ? [] : [{ path: manifest, text: writeManifest(catalog) }]),
      ]
      const states = files.map(({ path, text }) => ({ file: path, is_changed: !hasContent(path, text) }))
      const isStale = states.some((state) => state.is_changed)

      if (!check) for (const { path, text } of files) writeFileSync(path, text)
      const features = `${countOf(catalog.features.size, 'feature')} of ${name}`
      for (const { file, is_changed } of states) {
        if (!is_changed) output.print(`${file} is up to date with the ${features}.`)
        else
          output.print(check ? `${file} is not up to date: run "entitlements types".` : `Wrote ${file}: ${features}.`)
      }
      output.json({ files: states })
      if (check && isStale) process.exitCode = exitCodes.different
    })

/** Whether the file has this text. Git may check it out with the line ends of Windows. */
function hasContent(path: string, text: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll('\r\n', '\n') === text
}
