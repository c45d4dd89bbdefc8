import { confirm } from '../apply/confirm.ts'
import { assertStillShown, runSteps } from '../apply/run-steps.ts'
import { toSteps } from '../apply/steps.ts'
import { compare, type Difference, isToApply } from '../catalog/compare.ts'
import { describeDifference, describeImpossible, reductionsOf, toJson } from '../catalog/describe.ts'
import { loadReach, type Reach } from '../catalog/reach.ts'
import { assertUrlIsFor, type LoadedService, loadServiceSide, loadSide, parseSide, usualFile } from '../catalog/side.ts'
import { defineCommand } from '../command.ts'
import { urlOption, usualPrefix } from '../connection.ts'
import { countOf } from '../output.ts'
import { exitCodes, Problem } from '../problem.ts'
import { aboutSides, sideOptions, toName } from './diff.ts'

export const apply = defineCommand({
  name: 'apply',
  summary: 'change the service so that it has the catalog of the file',
  about: `
Shows the difference (see "entitlements diff"), names the target, asks, and writes the changes one after the other. It stops when
somebody else has changed one of the objects since. It can be repeated: what is applied is no difference any more.
What only the target has stays, unless you give --prune. A plan that somebody has, or had, is then archived, not deleted.
${aboutSides}

Exits with 0; 1 after an error; 3 if somebody else changed the catalog first; 4 if nobody confirmed it.`,
  options: {
    ...sideOptions,
    url: urlOption,
    yes: { about: 'does not ask; needed where there is no terminal' },
    prune: { about: 'also removes features and plans that only the target has' },
  },
  examples: [
    'entitlements apply',
    'entitlements apply --yes --prune',
    'entitlements apply --from env:STAGING --to env:PRODUCTION',
  ],
  async run({
    options: { from = usualFile, to = `env:${usualPrefix}`, url, yes = false, prune = false },
    env,
    output,
  }) {
    assertUrlIsFor([from, to], url)
    const [source, target] = await Promise.all([loadSide(parseSide(from, { env, url })), loadTarget(to, { env, url })])
    const difference = compare(source.catalog, target.catalog)
    const isAny = isToApply(difference, prune)
    const report = (applied: readonly object[]) => {
      output.json({ from: toName(source), to: toName(target), changes: toJson(difference, null), applied })
      return exitCodes.done
    }
    if (!isAny) {
      output.print(`Nothing to change: ${target.name} has the catalog of ${source.name}.${describeExtra(difference)}`)
      return report([])
    }

    const reach = await loadReach(target.connection, difference)
    output.print(`From ${source.name} to ${target.name}:`, '', ...describeDifference(difference, { reach }), '')
    if (difference.impossible.length > 0) {
      const reasons = difference.impossible.map(describeImpossible)
      throw new Problem(['Nothing was applied, because this is impossible:', ...reasons], {
        code: 'IMPOSSIBLE',
        details: difference.impossible,
      })
    }

    const steps = toSteps(difference, prune)
    const settings = { connection: target.connection, shown: target }
    if (!yes) {
      await confirm(`Apply ${countOf(steps.length, 'change')} to ${target.name}?${describeLosses(difference, reach)}`)
      await assertStillShown(steps, settings)
    }
    const done = await runSteps(steps, {
      ...settings,
      onDone: ({ action, object, result }) =>
        output.print(`✓ ${action} ${object}${result === null ? '' : `: ${result}`}`),
    })
    output.print(`Applied ${countOf(done.length, 'change')} to ${target.name}.`)
    return report(done)
  },
})

function loadTarget(name: string, settings: Parameters<typeof parseSide>[1]): Promise<LoadedService> {
  const side = parseSide(name, settings)
  if (side.type === 'service') return loadServiceSide(side)
  throw new Problem(
    `--to must be a service, such as env:${usualPrefix}, but is the file ${name}. "entitlements pull" writes a file.`,
  )
}

function describeExtra({ extraFeatures, extraPlans }: Difference): string {
  const count = extraFeatures.length + extraPlans.length
  return count === 0
    ? ''
    : ` It also has ${countOf(count, 'object')} more, which --prune removes; see "entitlements diff".`
}

function describeLosses({ changedPlans }: Difference, reach: Reach): string {
  const count = changedPlans.reduce((sum, change) => sum + reductionsOf(change, reach).length, 0)
  return count === 0 ? '' : ` ${countOf(count, 'reduction')} among them.`
}
