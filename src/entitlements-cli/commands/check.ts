import { Command } from '@commander-js/extra-typings'
import { type Context, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'
import { exitCodes } from '../problem.ts'

/** An entitlement in the answer of a check, or in a snapshot. */
type Entitlement = {
  feature: string
  kind: string
  allowed: boolean
  limit?: number | null
  value?: unknown
  source: string
  expires_at: string | null
}

export const check = ({ env, output }: Context) =>
  new Command('check')
    .summary('show what a subscriber may use')
    .description(
      `Asks the service what a subscriber may use: the given features, or all of them. It counts as one eval.

Exits with 0 if all given features are allowed, 2 if one is not, and 1 after an error, such as an unknown subscriber.`,
    )
    .argument('<subscriber>', 'the id of the subscriber')
    .argument('[features...]', 'the keys of features; by default, all')
    .addOption(urlOption)
    .addHelpText(
      'after',
      examples('entitlements check cust_4711', 'entitlements check cust_4711 export && echo allowed'),
    )
    .action(async (subscriber_id, features, { url }) => {
      const { ask } = connect(env, url)
      const { entitlements } =
        features.length === 0
          ? await ask((api) => api.getEntitlements({ subscriber_id }))
          : ((await ask((api) => api.check({ subscriber_id, features }))) as { entitlements: Entitlement[] })
      const width = entitlements.reduce((longest, { feature }) => Math.max(longest, feature.length), 0)
      for (const each of entitlements) output.print(`${each.feature.padEnd(width)}  ${describe(each)}`)
      output.json({ subscriber_id, entitlements })
      const isDenied = features.length > 0 && entitlements.some(({ allowed }) => !allowed)
      if (isDenied) process.exitCode = exitCodes.different
    })

const sources: Record<string, string> = { override: 'by an override', plan: 'by the plan', none: 'nothing grants it' }

function describe({ kind, allowed, limit, value, source, expires_at }: Entitlement): string {
  const detail = source === 'none' ? '' : kind === 'limit' ? `, ${limit ?? 'unlimited'}` : describeConfig(kind, value)
  const until = expires_at === null ? '' : ` until ${expires_at}`
  return `${allowed ? 'allowed' : 'not allowed'}${detail} (${sources[source] ?? source}${until})`
}

function describeConfig(kind: string, value: unknown): string {
  return kind === 'config' ? `, ${JSON.stringify(value)}` : ''
}
