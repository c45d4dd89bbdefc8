import { existsSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { compareExactly, hasDifferences, withoutRetiredPlans } from '../../core/catalog/compare.ts'
import { baseOf, recordBase, withBase } from '../catalog/base.ts'
import { describeDifference, toJsonChanges } from '../catalog/describe.ts'
import { updateCatalog, writeCatalog } from '../catalog/edit-file.ts'
import { readCatalogFile } from '../catalog/file.ts'
import { defaultCatalogFile, loadServiceSide } from '../catalog/side.ts'
import { type Context, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'
import { countOf } from '../output.ts'

export const pull = ({ env, output }: Context) =>
  new Command('pull')
    .summary(`write the catalog of the service to ${defaultCatalogFile}`)
    .description(
      `Writes the features and plans of the service to ${defaultCatalogFile}. If the file exists, only the parts that differ from the service are changed; comments and order are kept. Features and plans that the service does not have are removed from the file, and listed. The header records the version of the service's catalog that the file is based on, so that "entitlements apply" notices if somebody else has changed the catalog since.`,
    )
    .option('--file <file>', `a file other than ${defaultCatalogFile}`)
    .addOption(urlOption)
    .addHelpText(
      'after',
      examples('entitlements pull', 'entitlements pull --file catalog/staging.yaml --url https://staging.example.com'),
    )
    .action(async ({ file: path = defaultCatalogFile, url }) => {
      const connection = connect(env, url)
      const side = await loadServiceSide({ connection })
      const { catalog, name, organization } = side
      const base = baseOf(side, organization.organization_id)
      const counts = `${countOf(catalog.features.size, 'feature')} and ${countOf(catalog.plans.size, 'plan')}`

      if (!existsSync(path)) {
        writeFileSync(path, withBase(writeCatalog(catalog), base))
        output.print(`Wrote ${path}: ${counts} of ${name}.`)
        output.json({
          file: path,
          is_new: true,
          is_changed: true,
          features: catalog.features.size,
          plans: catalog.plans.size,
        })
        return
      }

      const file = await readCatalogFile(path, connection)
      const wanted = withoutRetiredPlans(catalog, file.catalog)
      const difference = compareExactly(wanted, file.catalog)
      const isChanged = hasDifferences(difference)
      if (isChanged) writeFileSync(path, withBase(updateCatalog(file, wanted, path), base))
      else recordBase(path, base)
      if (isChanged) output.print(describeDifference(difference, { reach: null, isFile: true }))
      output.print(isChanged ? `Updated ${path} from ${name}.` : `${path} already has the ${counts} of ${name}.`)
      output.json({
        file: path,
        is_new: false,
        is_changed: isChanged,
        features: catalog.features.size,
        plans: catalog.plans.size,
        changes: toJsonChanges(difference, null),
      })
    })
