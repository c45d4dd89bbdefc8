import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { Config } from '../config.ts'
import type { Transaction } from '../database/transaction.ts'
import { assertOrganizationIsHere, command, organizationOption, printFromTransaction, run } from './command.ts'

const maxRate = 1_000_000_000
/** The stored value of an unlimited rate. */
const unlimited = -1
/** The word that restores the server's default limit. */
const defaultWord = 'default'

await run(
  command('org:limits')
    .description("Sets an organization's own limits, which apply at once, and prints the limits in force.")
    .addOption(organizationOption.required)
    .option(
      '--allotment <n>',
      'evals per calendar month, or unlimited, or default for EVAL_MONTHLY_ALLOTMENT',
      parseLimit,
    )
    .option('--rate <n>', 'evals per second, or default for EVAL_RATE_LIMIT_PER_SECOND', parseRate)
    .option(
      '--stored <n>',
      'bytes that it may store (see org:usage), or unlimited, or default for MAX_STORED_BYTES',
      parseLimit,
    )
    .option('--json', 'print JSON')
    .action(({ organization: organizationId, allotment, rate, stored, json }) =>
      printFromTransaction(async ({ tx, config }) => {
        await assertOrganizationIsHere(tx, organizationId)
        const own = { allotment: toStoredLimit(allotment), rateLimit: toStoredLimit(rate) }
        const evals = await tx.evalCounter.upsert({
          where: { organizationId },
          create: { organizationId, ...own },
          update: own,
          select: { allotment: true, rateLimit: true },
        })
        const limits = { ...evals, stored: await setCap(tx, organizationId, toStoredLimit(stored)) }
        return json ? toJson(limits, config) : describe(limits, config)
      }),
    ),
)

async function setCap(tx: Transaction, organizationId: string, cap: bigint | null | undefined): Promise<bigint | null> {
  const where = { organizationId }
  if (cap === undefined) return (await tx.storedBytes.findUnique({ where, select: { cap: true } }))?.cap ?? null
  await tx.storedBytes.upsert({ where, create: { organizationId, cap }, update: { cap } })
  return cap
}

/** The parsers return the word instead of null, because Commander would turn null into an empty text. */
function toStoredLimit<Limit>(given: Limit | typeof defaultWord | undefined): Limit | null | undefined {
  return given === defaultWord ? null : given
}

function parseLimit(text: string): bigint | typeof defaultWord {
  if (text === defaultWord) return text
  if (text === 'unlimited') return BigInt(unlimited)
  const number = readNumber(text)
  if (number <= Number.MAX_SAFE_INTEGER) return BigInt(number)
  throw new InvalidArgumentError('It must be a whole number, unlimited or default.')
}

function parseRate(text: string): number | typeof defaultWord {
  if (text === defaultWord) return text
  const rate = readNumber(text)
  if (rate >= 1 && rate <= maxRate) return rate
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxRate}, or default.`)
}

/** Parses a whole number of at least 0. For any other text, returns Infinity, which exceeds every limit. */
function readNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Infinity
}

type Limits = { allotment: bigint | null; rateLimit: number | null; stored: bigint | null }

/** The limits in force; null means unlimited. */
function toLimitsInForce({ allotment, rateLimit, stored }: Limits, config: Config) {
  const of = (own: bigint | null, byDefault: number | null) => {
    const limit = own === null ? byDefault : Number(own)
    return limit === unlimited ? null : limit
  }
  return {
    allotment: of(allotment, config.evalMonthlyAllotment),
    rate: rateLimit ?? config.evalRateLimitPerSecond,
    stored: of(stored, config.maxStoredBytes),
  }
}

function toJson(limits: Limits, config: Config): string {
  return JSON.stringify(toLimitsInForce(limits, config), null, 2)
}

function describe(limits: Limits, config: Config): string {
  const { allotment, rate, stored } = toLimitsInForce(limits, config)
  const source = (own: unknown) => (own === null ? ' (the default of the server)' : '')
  return [
    `  a month    ${allotment === null ? 'unlimited' : `${allotment} evals`}${source(limits.allotment)}`,
    `  a second   ${rate} evals${source(limits.rateLimit)}`,
    `  stored     ${stored === null ? 'unlimited' : `${stored} bytes`}${source(limits.stored)}`,
  ].join('\n')
}
