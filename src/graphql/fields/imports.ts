import type { FieldError } from '../../core/errors.ts'
import { importLine } from '../../modules/imports/import-line.ts'
import {
  type ImportError,
  type ImportResult,
  importAnswer,
  importErrorAnswer,
} from '../../modules/imports/import-result.ts'
import { importSubscribers } from '../../modules/imports/import-subscribers.ts'
import { overrideInput } from '../../modules/overrides/override-input.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { toGraphqlPath } from '../names.ts'
import { answerFields } from '../output-type.ts'

const ImportErrorType = builder.objectRef<ImportError>('ImportError').implement({
  description: importErrorAnswer.description,
  fields: (t) => answerFields(t, importErrorAnswer),
})

const ImportResultType = builder.objectRef<ImportResult>('ImportResult').implement({
  description: importAnswer.description,
  fields: (t) => ({
    ...answerFields(t, importAnswer, { except: ['errors'] }),
    errors: t.field({
      type: [ImportErrorType],
      description: 'In the order of the lines.',
      resolve: ({ errors }) => errors,
    }),
  }),
})

defineMutation(importSubscribers, {
  type: ImportResultType,
  note: 'A line that is refused fails alone; the others are applied.',
  inNamesOf({ text }, result) {
    // A text has the names of the REST door.
    return text === undefined ? { ...result, errors: result.errors.map(inNamesOfList) } : result
  },
})

function inNamesOfList({ details, ...error }: ImportError): ImportError {
  if (!Array.isArray(details?.fields)) return { ...error, details }
  const fields = (details.fields as FieldError[]).map(({ path, message }) => ({ path: toPath(path), message }))
  return { ...error, details: { fields } }
}

/** `overrides.seats.expires_at` is `overrides.seats.expiresAt` here. */
function toPath(path: string): string {
  const [, place, rest] = /^(overrides\.[^.]*\.)(.+)$/.exec(path) ?? []
  return rest === undefined ? toGraphqlPath(importLine.fields, path) : place + toGraphqlPath(overrideInput.fields, rest)
}
