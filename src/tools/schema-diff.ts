import { loadSchema, noFilters, withSchemaEngine } from './schema-engine.ts'

/** The SQL that changes this migrated database to match schema.prisma; empty when they agree. For development and tests. */
export async function diffToSchema(url: string): Promise<string> {
  const schema = await loadSchema()
  const { exitCode, stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', configDir: '.', ...schema },
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: true,
      filters: noFilters,
    }),
  )
  return exitCode === 0 ? '' : (stdout ?? '')
}
