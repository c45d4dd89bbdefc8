type CompletedMigration = {
  text: string
  /** The steps that are left to the author, as sentences. */
  advice: string[]
}

/**
 * Adds to Prisma's SQL what all our migrations have: a collation that compares text byte by byte, and the line that lets the
 * previous version keep running, unless a statement may break it.
 */
export function completeMigration(sql: string, latest: string): CompletedMigration {
  const text = sql.replaceAll(/\bTEXT\b(\[\])?/g, 'TEXT$1 COLLATE "C"')
  const statements = text
    .replaceAll(/^--.*\n/gm, '')
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  const created = new Set(Array.from(text.matchAll(/^CREATE TABLE "(\w+)"/gm), ([, table]) => table))
  const breaking = statements.filter((statement) => !isAdditive(statement, created))
  const indexes = statements.filter((statement) => isIndexOfExisting(statement, created))
  const line = `-- runs beside: ${latest}`
  return {
    text: breaking.length === 0 ? `${line}\n\n${text}` : text,
    advice: [
      ...breaking.map((statement) => `The previous version may fail beside this: ${firstLine(statement)}`),
      ...(breaking.length === 0
        ? []
        : [
            `If the previous version cannot fail, add the line "${line}". Without that line, no older version may run beside the new one.`,
          ]),
      ...indexes.map(
        (statement) =>
          `Put this statement into a separate migration, as "create index concurrently if not exists", because it blocks writes: ${firstLine(statement)}`,
      ),
    ],
  }
}

/** Whether the statements of the previous version, which does not know the migration, still succeed after this statement. */
function isAdditive(statement: string, created: ReadonlySet<string | undefined>): boolean {
  if (/^CREATE (TABLE|TYPE|INDEX)\b/.test(statement)) return true
  const [, table] = /^(?:ALTER TABLE|CREATE UNIQUE INDEX .* ON) "(\w+)"/.exec(statement) ?? []
  if (created.has(table)) return true
  const changes = statement.replace(/^ALTER TABLE "\w+"\s+/, '').split(/,\s*\n/)
  return changes.every((change) => /^ADD COLUMN\b/.test(change) && (!/NOT NULL/.test(change) || /DEFAULT/.test(change)))
}

function isIndexOfExisting(statement: string, created: ReadonlySet<string | undefined>): boolean {
  const [, table] = /^CREATE (?:UNIQUE )?INDEX .* ON "(\w+)"/.exec(statement) ?? []
  return table !== undefined && !created.has(table)
}

function firstLine(statement: string): string {
  return statement.split('\n', 1)[0] as string
}
