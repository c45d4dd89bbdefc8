import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { mergeChanges } from './merge-changes.ts'

/** The object that a form edits, as the page shows it now. */
export type Stored = {
  /** Its `updatedAt`, or the id of the subscription; null before there is one. */
  version: string | null
  /** Their labels, for showing both values. */
  fields: Readonly<Record<string, { label: string }>>
}

/** A field that both changed. */
export type Clash = { field: string; label: string; mine: unknown; theirs: unknown }

export type Conflict = { clashes: readonly Clash[]; keepMine(field: string): void; takeTheirs(field: string): void }

export type Base<Values> = { values: Values; version: string | null }

type Options<Values extends object> = {
  form: UseFormReturnType<Values>
  stored: Stored | undefined
  /** The object's present values. */
  theirs: Values
  firstBase: Base<Values>
  isRunning: boolean
  /** Called when no conflict is left. */
  onMerged(values: Values, version: string | null): void
}

/** A refusal because someone else changed the object since it was read. */
export function isEditConflict(error: unknown): boolean {
  return isServerError(error, 'CONFLICT') && ['updated_at', 'subscription'].includes(String(error.details?.field))
}

/**
 * Compares the typed values with the object each time it is read again. Untouched fields follow the object; for a field
 * that both changed the person decides.
 */
export function useEditConflict<Values extends object>(options: Options<Values>) {
  const { form, stored, theirs, firstBase, isRunning, onMerged } = options
  const [base, setBase] = useState(firstBase)
  const [kept, setKept] = useState<readonly string[]>([])
  const isBehind = stored !== undefined && !isRunning && stored.version !== base.version
  const { merged, clashes } = mergeChanges(base.values, form.values, theirs)
  const open = isBehind ? clashes.filter((field) => !kept.includes(field)) : []

  // After each render: the object or the form may have changed.
  useEffect(() => {
    if (!isBehind || open.length > 0) return
    const next = { values: theirs, version: stored.version }
    setBase(next)
    setKept([])
    form.setInitialValues(theirs)
    form.setValues(merged)
    onMerged(merged, next.version)
  })

  const conflict: Conflict | null =
    stored && open.length > 0
      ? {
          clashes: open.map((field) => ({
            field,
            label: stored.fields[field]?.label ?? field,
            mine: form.values[field],
            theirs: theirs[field],
          })),
          keepMine: (field) => setKept((fields) => [...fields, field]),
          takeTheirs: (field) => form.setValues({ [field]: theirs[field as keyof Values] } as Partial<Values>),
        }
      : null
  return {
    base,
    conflict,
    /** The server has saved these values, perhaps normalized. */
    rebase: (values: Values) => setBase(({ version }) => ({ values, version })),
  }
}
