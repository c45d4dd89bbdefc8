import type { Connection } from '../connection.ts'
import { loadDescription } from '../mcp/load-description.ts'
import { fieldsOf, type OpenApi, toTools } from '../mcp/tools.ts'

/** The names of the fields of features and plans that the service stores. */
export type FieldNames = { features: readonly string[]; plans: readonly string[] }

/** Loads the names from the service's own description, because a newer service may have fields that this version lacks. */
export async function loadFieldNames(connection: Connection): Promise<FieldNames> {
  const document = await loadDescription(connection)
  return {
    features: storedFields(document, 'updateFeature', 'Feature'),
    plans: storedFields(document, 'updatePlan', 'Plan'),
  }
}

/**
 * The fields that an update both accepts and returns. This excludes input that is not stored, such as a note, and output that
 * cannot be set, such as a time.
 */
function storedFields(document: OpenApi, update: string, answer: string): string[] {
  const taken = toTools(document, true).find(({ name }) => name === update)?.inputSchema.properties ?? {}
  const answered = fieldsOf(document.components.schemas[answer] ?? {}, document).properties
  return Object.keys(taken).filter((name) => name in answered && name !== 'key')
}
