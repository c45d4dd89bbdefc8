import type { OpenSpan } from './open-span.ts'

const maxTextLength = 200

/** The attributes of every statement. */
export const postgresAttributes = { 'db.system.name': 'postgresql' }

/** Statement names that say nothing; a span shows the statement's text instead. */
const numberedName = /^write-\d+$/

/** Starts the span of a statement that is sent now. It has the statement's name or the beginning of its text, never values. */
export function startStatement(parent: OpenSpan, name: string | undefined, text: string): OpenSpan {
  const shortText = text.trim().slice(0, maxTextLength).replaceAll(/\s+/g, ' ')
  const [verb = 'query'] = shortText.split(' ', 1)
  const known = name === undefined || numberedName.test(name) ? null : name
  const attributes = {
    ...postgresAttributes,
    'db.operation.name': verb.toUpperCase(),
    ...(known === null ? { 'db.query.text': shortText } : { 'db.query.summary': known }),
  }
  return parent.startCall(known ?? verb.toUpperCase(), attributes)
}

export function endStatement(span: OpenSpan, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown }
  span.end({}, error === undefined ? null : { code: typeof code === 'string' ? code : 'no_answer', isFault: true })
}
