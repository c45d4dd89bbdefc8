import type { z } from 'zod'
import { allowedBy } from './field-type.ts'

export type Report = (path: string, message: string) => void

/** One detail for a field, unless its schema says more: places within it, as those of grants, or another reason. */
export function reportField(name: string, field: z.ZodType, error: z.ZodError, report: Report): void {
  const said = error.issues.filter((issue) => issue.code === 'custom' && issue.params?.said === true)
  if (said.length === 0) report(name, `${name} must be ${allowedBy(field)}.`)
  for (const issue of said) {
    const path = [name, ...issue.path].join('.')
    report(path, `${path} ${issue.message}`)
  }
}

/** In a schema's own check: a detail at this place within the field, whose message follows the path. */
export function refuse(context: z.core.$RefinementCtx, message: string, place: string[] = []): void {
  context.addIssue({ code: 'custom', message, path: place, params: { said: true }, input: context.value })
}
