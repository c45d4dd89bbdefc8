import { Command } from '@commander-js/extra-typings'
import { compare, type Difference, describeImpossibleChange, hasChangesToApply } from '../../core/catalog/compare.ts'
import type { Step } from '../../core/catalog/steps.ts'
import { toSteps } from '../../core/catalog/steps.ts'
import { assertBase, type Sides } from '../apply/assert-base.ts'
import { confirm } from '../apply/confirm.ts'
import { describeRefusal, previewRefusals } from '../apply/preview-refusals.ts'
import { assertUnchangedSinceShown, readStateAfter, runSteps, type StepResult } from '../apply/run-steps.ts'
import { type Base, baseOf, recordBase } from '../catalog/base.ts'
import { describeDifference, reductionsOf, toJsonChanges } from '../catalog/describe.ts'
import { loadReach, type PlanReachByKey } from '../catalog/reach.ts'
import {
  assertUrlIsFor,
  defaultCatalogFile,
  loadServiceSide,
  loadSide,
  parseSide,
  type ServiceSide,
} from '../catalog/side.ts'
import { type Context, examples } from '../command.ts'
import { defaultPrefix, urlOption } from '../connection.ts'
import { explain } from '../explain.ts'
import { countOf, type Output } from '../output.ts'
import { Problem } from '../problem.ts'
import { fromOption, sideJson, sidesHelp, toOption } from './diff.ts'

const description = `Shows the difference (see "entitlements diff"), names the target, asks for confirmation, and writes the changes one after the other. You can run it again at any time: it writes only what still differs. It changes nothing if somebody else changed the catalog of the target since the file was made from it. The header of the file, which "pull" and "apply" write, names this state of the catalog; alternatively, --base names a file with that state, such as the file that CI applied last. --overwrite applies the file anyway. Features and plans that only the target has are kept, unless you pass --prune. --prune archives a plan that a subscriber has or had, and does not delete it.
${sidesHelp}

Exits with 0; 1 after an error; 3 if somebody else changed the catalog first; 4 if nobody confirmed the changes.`

export const apply = ({ env, output }: Context) =>
  new Command('apply')
    .summary('change the service so that it has the catalog of the file')
    .description(description)
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(urlOption)
    .option('--yes', 'does not ask for confirmation; required without a terminal')
    .option('--prune', 'also removes features and plans that only the target has')
    .option('--base <file>', 'the file that was applied last: stops if the target has changed since then')
    .option('--overwrite', 'applies the catalog even if that undoes changes by somebody else')
    .addHelpText(
      'after',
      examples(
        'entitlements apply',
        'entitlements apply --yes --prune',
        'git show entitlements-applied:entitlements.yaml > base.yaml && entitlements apply --yes --base base.yaml',
        'entitlements apply --from env:STAGING --to env:PRODUCTION',
      ),
    )
    .action(
      async ({
        from = defaultCatalogFile,
        to = `env:${defaultPrefix}`,
        url,
        base,
        overwrite = false,
        yes = false,
        prune = false,
      }) => {
        assertUrlIsFor([from, to], url)
        const { connection } = parseTarget(to, { env, url })
        const loading = [loadSide(parseSide(from, { env, url }), connection), loadServiceSide({ connection })] as const
        const [source, target] = await Promise.all(loading)
        const { organization_id: organizationId } = target.organization
        const difference = compare(source.catalog, target.catalog)
        const isAny = hasChangesToApply(difference, prune)
        const report = (applied: readonly object[]) => {
          const sides = { from: sideJson(source), to: sideJson(target) }
          output.json({ ...sides, changes: toJsonChanges(difference, null), applied })
        }
        if (!isAny) {
          if (source.type === 'file') recordBaseIfWritable(source.name, baseOf(target, organizationId), output)
          output.print(
            `Nothing to change: ${target.name} has the catalog of ${source.name}.${describeExtraObjects(difference)}`,
          )
          return void report([])
        }

        const reach = await loadReach(target.connection, difference)
        output.print(`From ${source.name} to ${target.name}:`, '', describeDifference(difference, { reach }), '')
        const sides = { source, target, difference, isPruning: prune }
        const steps = toSteps(sides)
        await assertApplicable(sides, { steps, base, overwrite, output })

        const settings = { connection: target.connection, shown: target }
        if (!yes) {
          await confirm(
            `Apply ${countOf(steps.length, 'change')} to ${target.name}?${describeLosses(difference, reach)}`,
          )
          await assertUnchangedSinceShown(steps, settings)
        }
        const done: StepResult[] = []
        const onDone = (step: StepResult) => {
          done.push(step)
          output.print(`✓ ${step.action} ${step.object}${step.result === null ? '' : `: ${step.result}`}`)
        }
        try {
          await runSteps(steps, { ...settings, onDone })
        } finally {
          // Also runs after a failure in the middle: the next apply continues from there.
          const state = source.type === 'file' ? await readStateAfter(done, settings).catch(() => null) : null
          if (state) recordBaseIfWritable(source.name, baseOf(state, organizationId), output)
        }
        output.print(`Applied ${countOf(done.length, 'change')} to ${target.name}.`)
        report(done)
      },
    )

/** The file may be in a folder that cannot be written: then a note says so, because the changes themselves are applied. */
function recordBaseIfWritable(path: string, base: Base, output: Output): void {
  try {
    recordBase(path, base)
  } catch (error) {
    output.note(
      `${path} cannot be written, so its header does not name this state of the catalog: ${explain(error).message} The next apply may report these changes as somebody else's: check "entitlements diff", and pass --overwrite.`,
    )
  }
}

function parseTarget(name: string, settings: Parameters<typeof parseSide>[1]): ServiceSide {
  const side = parseSide(name, settings)
  if (side.type === 'service') return side
  throw new Problem(
    `--to must be a service, such as env:${defaultPrefix}, but is the file ${name}. "entitlements pull" writes a file.`,
  )
}

type Checks = { steps: readonly Step[]; base: string | undefined; overwrite: boolean; output: Output }

/** Throws a Problem, before any write, if a change is impossible or would undo another person's change. */
async function assertApplicable(sides: Sides, { steps, base, overwrite, output }: Checks): Promise<void> {
  const { source, target, difference } = sides
  const { impossible } = difference
  if (impossible.length > 0) {
    throw new Problem(
      ['Nothing was applied, because this is impossible:', ...impossible.map(describeImpossibleChange)],
      {
        code: 'IMPOSSIBLE',
        details: impossible,
      },
    )
  }
  const isBased = overwrite || (await assertBase(sides, base))
  if (!isBased && source.type === 'file' && mayUndoChanges(sides)) {
    output.print(
      `${source.name} does not say which state of the catalog it was made from, so this may undo what somebody else changed. --base names that state; "pull" and "apply" write it into the file.`,
      '',
    )
  }
  const refused = await previewRefusals(steps, { connection: target.connection, target: target.catalog, output })
  if (!refused[0]) return
  throw new Problem(['Nothing was applied, because the service would refuse this:', ...refused.map(describeRefusal)], {
    code: refused[0].code,
    details: { refused },
  })
}

/** Whether applying the source would change or remove an object of the target. */
function mayUndoChanges({ difference, isPruning }: Sides): boolean {
  const { changedFeatures, changedPlans, extraFeatures, extraPlans } = difference
  const removed = isPruning ? [...extraFeatures, ...extraPlans] : []
  return changedFeatures.length + changedPlans.length + removed.length > 0
}

function describeExtraObjects({ extraFeatures, extraPlans }: Difference): string {
  const count = extraFeatures.length + extraPlans.length
  return count === 0
    ? ''
    : ` It also has ${countOf(count, 'other object')}, which --prune removes; see "entitlements diff".`
}

function describeLosses({ changedPlans }: Difference, reach: PlanReachByKey): string {
  const count = changedPlans.reduce((sum, change) => sum + reductionsOf(change, reach).length, 0)
  return count === 0 ? '' : ` This includes ${countOf(count, 'reduction')}.`
}
