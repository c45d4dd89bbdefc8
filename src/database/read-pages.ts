import { type Page, type PageInput, toPage } from '../core/pagination.ts'
import { Prisma } from './generated/client.ts'
import type { Queries } from './prisma.ts'
import { query, viaPrisma } from './sql.ts'
import { columnsOf, type Table } from './table.ts'

/**
 * Reads, in one statement, a page of rows for each of several ids, which are in the field `owner` of the rows. Returns the
 * pages by id.
 */
export async function readPages<Row>(
  db: Queries,
  table: Table<Row>,
  { organizationId, owner, ids }: { organizationId: string; owner: keyof Row & string; ids: readonly string[] },
  { limit, starting_after: after = '' }: PageInput,
): Promise<Map<string, Page<Row>>> {
  const id = columnNamed(table, 'id')
  const rows = await viaPrisma(db).query(query`
    select ${columnsOf(table, 'page')} from unnest(${ids}::text[]) as requested (owner)
     cross join lateral (
           select * from ${table.name}
            where organization_id = ${organizationId} and ${columnNamed(table, owner)} = requested.owner and ${id} > ${after}
            order by ${id} limit ${limit + 1}) page
     order by page.${id}`)
  const byOwner = Map.groupBy(rows, (row) => row[owner])
  return new Map(ids.map((each) => [each, toPage(byOwner.get(each as Row[typeof owner]) ?? [], limit)]))
}

function columnNamed<Row>({ each }: Table<Row>, field: string): Prisma.Sql {
  return Prisma.raw(each.find((column) => column.field === field)?.name ?? '')
}
