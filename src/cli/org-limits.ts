import type { Config } from '../config.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertOrganization, readOrganizationId, runCommand } from './command.ts'

const maxRate = 1_000_000_000
/** As stored in the counter's column. */
const unlimited = -1

await runCommand({
  help: `Usage: npm run org:limits -- --organization ID [--allotment N|unlimited|default] [--rate N|default] [--json]

Sets an organization's own limits on evals, in force at once, and prints the limits in force.

  --organization ID   the organization
  --allotment N       evals a calendar month; unlimited; or default for EVAL_MONTHLY_ALLOTMENT
  --rate N            evals a second; or default for EVAL_RATE_LIMIT_PER_SECOND
  --json              print JSON`,
  options: {
    organization: { type: 'string' },
    allotment: { type: 'string' },
    rate: { type: 'string' },
    json: { type: 'boolean' },
  },
  check({ organization, allotment, rate }) {
    readOrganizationId(organization)
    readAllotment(allotment)
    readRate(rate)
  },
  async run({ tx, config, options }) {
    const organizationId = readOrganizationId(options.organization)
    await assertOrganization(tx, organizationId)
    const own = { allotment: readAllotment(options.allotment), rateLimit: readRate(options.rate) }
    const limits = await tx.evalCounter.upsert({
      where: { organizationId },
      create: { organizationId, ...own },
      update: own,
      select: { allotment: true, rateLimit: true },
    })
    return options.json ? toJson(limits, config) : describe(limits, config)
  },
})

/** Null is the server's default; undefined changes nothing. */
function readAllotment(text: string | undefined): bigint | null | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  if (text === 'unlimited') return BigInt(unlimited)
  const allotment = readNumber(text)
  if (allotment <= Number.MAX_SAFE_INTEGER) return BigInt(allotment)
  throw new StartupError(`--allotment must be a whole number, unlimited or default, but is ${JSON.stringify(text)}.`)
}

function readRate(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  const rate = readNumber(text)
  if (rate >= 1 && rate <= maxRate) return rate
  throw new StartupError(
    `--rate must be a whole number from 1 to ${maxRate}, or default, but is ${JSON.stringify(text)}.`,
  )
}

/** Infinity when it is not a whole number from 0: above every limit. */
function readNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Infinity
}

type Limits = { allotment: bigint | null; rateLimit: number | null }

function toJson({ allotment, rateLimit }: Limits, config: Config): string {
  const monthly = allotment === null ? config.evalMonthlyAllotment : Number(allotment)
  return JSON.stringify(
    {
      allotment: monthly === unlimited ? null : monthly,
      rate: rateLimit ?? config.evalRateLimitPerSecond,
    },
    null,
    2,
  )
}

function describe({ allotment, rateLimit }: Limits, config: Config): string {
  const monthly = allotment === null ? config.evalMonthlyAllotment : Number(allotment)
  const evals = monthly === null || monthly === unlimited ? 'unlimited' : `${monthly} evals`
  const source = (own: unknown) => (own === null ? ' (the default of the server)' : '')
  return [
    `  a month    ${evals}${source(allotment)}`,
    `  a second   ${rateLimit ?? config.evalRateLimitPerSecond} evals${source(rateLimit)}`,
  ].join('\n')
}
