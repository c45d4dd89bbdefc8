import { Prisma } from '../database/generated/client.ts'
import type { Transaction } from '../database/transaction.ts'
import { assertOrganization, command, organizationOption, printFromTransaction, run } from './command.ts'

const kinds = ['audit', 'events', 'subscribers', 'overrides', 'catalog', 'other'] as const

/** `bytes` and `at` are null until a worker first counts them. */
type Usage = { organization_id: string; bytes: Record<(typeof kinds)[number], number> | null; at: string | null }

await run(
  command('org:usage')
    .description(
      'Prints how many bytes one organization stores, or all organizations, largest first: about as much as their rows and index entries take on disk. A worker updates the counts every hour; "at" is the time of the count.',
    )
    .addOption(organizationOption.optional)
    .option('--json', 'print JSON: one object with --organization, else a list')
    .action(({ organization, json }) =>
      printFromTransaction(
        async ({ tx }) => {
          if (organization !== undefined) await assertOrganization(tx, organization)
          return loadUsages(tx, organization)
        },
        // After the transaction, which PostgreSQL would end while a long table is written.
        (usages) => {
          if (json) return JSON.stringify(organization === undefined ? usages : usages[0], null, 2)
          return usages.length === 0 ? 'There are no organizations.' : toTable(usages)
        },
      ),
    ),
  { onlyPrints: true },
)

type Row = { organization_id: string; counted_at: Date | null } & Record<(typeof kinds)[number], bigint>

async function loadUsages(tx: Transaction, organizationId: string | undefined): Promise<Usage[]> {
  const only =
    organizationId === undefined ? Prisma.empty : Prisma.sql`where organization.organization_id = ${organizationId}`
  const rows = await tx.$queryRaw<Row[]>`
    select organization.organization_id, stored.audit, stored.events, stored.subscribers, stored.overrides, stored.catalog,
           stored.other, stored.counted_at
      from organization left join stored_bytes stored on stored.organization_id = organization.organization_id ${only}
     order by stored.total desc nulls last, organization.organization_id`
  return rows.map((row) => ({
    organization_id: row.organization_id,
    bytes: row.counted_at && (Object.fromEntries(kinds.map((kind) => [kind, Number(row[kind])])) as Usage['bytes']),
    at: row.counted_at?.toISOString() ?? null,
  }))
}

function toTable(usages: readonly Usage[]): string {
  const rows = usages.map(({ organization_id, bytes, at }) => {
    if (bytes === null)
      return [organization_id, 'not counted yet: a worker counts new organizations every five minutes']
    const counts = kinds.map((kind) => bytes[kind])
    return [organization_id, ...[counts.reduce((sum, count) => sum + count, 0), ...counts].map(toText), at ?? '']
  })
  const lines = [['organization', 'all', ...kinds, 'counted at'], ...rows]
  const counted = lines.filter(isCounted)
  const widths = lines[0]?.map((_, index) =>
    // Not `Math.max(...)`, which can take only about 120,000 arguments.
    counted.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), 0),
  )
  return lines
    .map((line) =>
      line
        .map((text, index) => pad(text, index, widths?.[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')

  function isCounted(line: readonly string[]): boolean {
    return line.length > 2
  }
}

/** Right-aligns the numbers. */
function pad(text: string, index: number, width: number): string {
  return index === 0 || index > kinds.length + 1 ? text.padEnd(width) : text.padStart(width)
}

function toText(bytes: number): string {
  return bytes.toLocaleString('en')
}
