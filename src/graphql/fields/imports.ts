import type { FieldError } from '../../core/errors.ts'
import { importLine } from '../../modules/imports/import-line.ts'
import { type ImportError, importAnswer, importErrorAnswer } from '../../modules/imports/import-result.ts'
import { importSubscribers } from '../../modules/imports/import-subscribers.ts'
import { overrideInput } from '../../modules/overrides/override-input.ts'
import { toGraphqlDetail, toGraphqlMessage } from '../names.ts'
import { defineType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'

const ImportErrorType = defineType(importErrorAnswer)

defineType(importAnswer, {
  except: ['errors'],
  fields: (t) => ({
    errors: t.field({
      type: [ImportErrorType],
      description: 'The errors, in the order of the lines.',
      resolve: ({ errors }) => errors,
    }),
  }),
})

adjustRootField(importSubscribers, {
  note: 'If a line is refused, the others are still applied.',
  // Errors of lines that were sent as text keep REST's names.
  finish: (result, { input: { lines } }) => lines && { ...result, errors: result.errors.map(withGraphqlNames) },
})

function withGraphqlNames({ message, details, ...error }: ImportError): ImportError {
  if (!Array.isArray(details?.fields))
    return { ...error, message: toGraphqlMessage(overrideInput.fields, message), details }
  const fields = (details.fields as FieldError[]).map(toDetail)
  return { ...error, message: fields[0]?.message ?? message, details: { fields } }
}

/** Converts `overrides.seats.expires_at` to `overrides.seats.expiresAt`. */
function toDetail({ path, message }: FieldError): FieldError {
  const [, prefix, rest] = /^(overrides\.[^.]*\.)(.+)$/.exec(path) ?? []
  if (rest === undefined) return toGraphqlDetail(importLine.fields, { path, message })
  const detail = toGraphqlDetail(overrideInput.fields, { path: rest, message })
  return { ...detail, path: prefix + detail.path }
}
