import { SpanKind } from '@opentelemetry/api'
import type { OpenSpan } from './open-span.ts'

const maxTextLength = 200

/** The attributes of every statement. */
export const ofPostgres = { 'db.system.name': 'postgresql' }

/** A name without information: the text is used instead. */
const numbered = /^write-\d+$/

/** The span of a statement that is sent now: its name, or the beginning of its text. Values are never in it. */
export function startStatement(parent: OpenSpan, name: string | undefined, text: string): OpenSpan {
  const shown = text.trim().slice(0, maxTextLength).replaceAll(/\s+/g, ' ')
  const [verb = 'query'] = shown.split(' ', 1)
  const known = name === undefined || numbered.test(name) ? null : name
  const attributes = {
    ...ofPostgres,
    'db.operation.name': verb.toUpperCase(),
    ...(known === null ? { 'db.query.text': shown } : { 'db.query.summary': known }),
  }
  return parent.startChild(known ?? verb.toUpperCase(), { kind: SpanKind.CLIENT, attributes })
}

export function endStatement(span: OpenSpan, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown }
  span.end({}, error === undefined ? null : { code: typeof code === 'string' ? code : 'no_answer', isFault: true })
}
