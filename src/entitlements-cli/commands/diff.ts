import { Command, Option } from '@commander-js/extra-typings'
import { compare, hasChangesToApply, hasDifferences } from '../../core/catalog/compare.ts'
import { toSteps } from '../../core/catalog/steps.ts'
import { isSourceOutdated } from '../apply/assert-base.ts'
import { describeRefusal, previewRefusals } from '../apply/preview-refusals.ts'
import { describeDifference, toJsonChanges } from '../catalog/describe.ts'
import { loadReach } from '../catalog/reach.ts'
import { assertUrlIsFor, defaultCatalogFile, type LoadedSide, loadSide, parseSide } from '../catalog/side.ts'
import { type Context, examples } from '../command.ts'
import { defaultPrefix, urlOption } from '../connection.ts'
import { exitCodes } from '../problem.ts'

export const fromOption = new Option('--from <catalog>', `the catalog to apply; by default, ${defaultCatalogFile}`)
export const toOption = new Option('--to <catalog>', `the target; by default, the service env:${defaultPrefix}`)

export const sidesHelp = `
A CATALOG is a file, or env:PREFIX for the service at PREFIX_URL with the key in PREFIX_API_KEY. So, with STAGING_URL,
STAGING_API_KEY, PRODUCTION_URL and PRODUCTION_API_KEY, "--from env:STAGING --to env:PRODUCTION" promotes staging.`

export const diff = ({ env, output }: Context) =>
  new Command('diff')
    .summary(`show what "apply" would change, and for how many subscribers`)
    .description(
      `Shows what would change in the target, --to, if the catalog in --from were applied to it. Changes that take something away from subscribers (a grant, or part of a limit) come after the others, and then the changes that the service would refuse. Also reports whether somebody else has changed the target since the file was made from it. The command changes nothing.
${sidesHelp}

Exits with 0, or 1 after an error. With --exit-code: 0 if there is no difference, 2 if there is one, and 1 if "apply" would be refused.`,
    )
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(urlOption)
    .option('--exit-code', 'exits with 2 if there is a difference, and with 1 if "apply" would be refused')
    .option('--prune', 'also reports what the service would refuse to "apply --prune"')
    .addHelpText(
      'after',
      examples(
        'entitlements diff',
        'entitlements diff --exit-code --json',
        'entitlements diff --from env:STAGING --to env:PRODUCTION',
      ),
    )
    .action(
      async ({ from = defaultCatalogFile, to = `env:${defaultPrefix}`, url, prune = false, exitCode = false }) => {
        assertUrlIsFor([from, to], url)
        const sides = [from, to].map((side) => parseSide(side, { env, url }))
        const service = sides.find((side) => side.type === 'service')?.connection ?? null
        const loading = Promise.all(sides.map((side) => loadSide(side, service)))
        const [source, target] = (await loading) as [LoadedSide, LoadedSide]
        const difference = compare(source.catalog, target.catalog)
        const reach = target.type === 'service' ? await loadReach(target.connection, difference) : null
        const isAny = hasDifferences(difference)
        const steps = toSteps({ source, target, difference, isPruning: prune })
        const refused =
          target.type === 'service'
            ? await previewRefusals(steps, { connection: target.connection, target: target.catalog, output })
            : []

        output.print(`From ${source.name} to ${target.name}:`)
        output.print(isAny ? ['', ...describeDifference(difference, { reach })] : 'No difference.')
        if (refused.length > 0) {
          output.print('', 'The service would refuse:', ...refused.map((each) => `! ${describeRefusal(each)}`))
        }
        if (target.type === 'service' && hasChangesToApply(difference, prune) && isSourceOutdated({ source, target })) {
          output.note(
            `The catalog of ${target.name} changed since ${source.name} was pulled or applied, so some of this may undo what somebody else did. "entitlements apply" without --base or --overwrite would change nothing, list those changes, and exit with 3.`,
          )
        }
        output.json({
          from: sideJson(source),
          to: sideJson(target),
          is_different: isAny,
          changes: toJsonChanges(difference, reach),
          impossible: difference.impossible,
          refused,
        })
        if (!exitCode || !isAny) return
        process.exitCode = refused.length + difference.impossible.length > 0 ? exitCodes.failed : exitCodes.different
      },
    )

/** The file or service of a catalog, in the JSON that commands print. */
export function sideJson(side: LoadedSide): object {
  if (side.type === 'file') return { file: side.name }
  const { organization, connection } = side
  return { organization_id: organization.organization_id, name: organization.name, url: connection.url }
}
