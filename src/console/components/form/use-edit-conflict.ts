import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, useEffect, useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { compareChanges, hasSameJson } from './merge-changes.ts'

/** The object that a form edits, as the page shows it now. */
export type EditedObject = {
  /** The object's `updatedAt`, or the id of the subscription; null if the object does not exist yet. */
  version: string | null
  /** Whether no object is in force: then the form's first values are a proposal, and count as the person's own. */
  isProposal?: boolean
  /** How `ConflictPanel` shows the values of each field. */
  fields: Readonly<Record<string, ShownField>>
}

type ShownField = { label: string; show?(value: never): ReactNode }

/** A field that someone else changed, and how its values are shown. */
export type ChangedField = ShownField & { field: string; mine: unknown; theirs: unknown }

export type Conflict = {
  /** Fields that both people changed. The person chooses a value for each. */
  clashes: readonly ChangedField[]
  /** Fields that only the other person changed. The form already shows the other person's values. */
  followed: readonly ChangedField[]
  /** Whether someone else removed the object, so that saving creates it again. */
  isRemoved: boolean
  keepMine(field: string): void
  takeTheirs(field: string): void
}

export type Base<Values> = { values: Values; version: string | null; isProposal: boolean }

type Options<Values extends object> = {
  form: UseFormReturnType<Values>
  stored: EditedObject | undefined
  /** The object's current values, which someone else may have changed. */
  theirs: Values
  firstBase: Base<Values>
  isRunning: boolean
  /** Whether the last save was refused because someone else had changed the object. */
  isRefused: boolean
  /** Sends a refused save again without asking, because the person has seen in the form what it will store. */
  sendAgain(values: Values, version: string | null): void
}

/** A refusal because someone else changed the object since it was read. */
export function isEditConflict(error: unknown): boolean {
  return isServerError(error, 'CONFLICT') && ['updated_at', 'subscription'].includes(String(error.details?.field))
}

/** What the person has decided, and for which version of the object. */
type Resolution = { version: string | null; kept: readonly string[] }

/**
 * Compares the typed values with the object each time the object is loaded again. Fields that the person did not edit get the
 * new values; if both people changed a field, the person chooses. The form always shows what it will save.
 */
export function useEditConflict<Values extends object>(options: Options<Values>) {
  const { form, stored, theirs, firstBase, isRunning, isRefused, sendAgain } = options
  const [base, setBase] = useState(firstBase)
  const [decided, setDecided] = useState<Resolution | null>(null)
  const [followed, setFollowed] = useState<readonly string[]>([])
  const isBehind = stored !== undefined && !isRunning && stored.version !== base.version
  const isGone = isBehind && stored.isProposal === true
  const changes = compareChanges(base.isProposal ? null : base.values, form.values, theirs)
  const kept = decided?.version === stored?.version ? decided?.kept : undefined
  const openClashes = isBehind && !isGone ? changes.clashes.filter((field) => !kept?.includes(field)) : []

  // After each render: the object or the form may have changed.
  useEffect(() => {
    if (!isBehind) return
    if (isGone) {
      // The object was removed. Text that was typed or sent stays in the form, because saving it creates the object again.
      if (!isRefused && hasSameJson(form.values, base.values)) form.setValues(theirs)
    } else if (changes.followed.length > 0) {
      const taken = Object.fromEntries(changes.followed.map((field) => [field, theirs[field]])) as Partial<Values>
      form.setValues(taken)
      setBase({ ...base, values: { ...base.values, ...taken } })
      setFollowed((fields) => [...new Set([...fields, ...changes.followed])])
      return
    } else if (openClashes.length > 0) return
    setBase({ values: theirs, version: stored.version, isProposal: isGone })
    form.setInitialValues(theirs)
    // Whether the person has seen what will be saved: not if the object has only now disappeared, or if fields got new values
    // and the form did not ask about any clash.
    const isSeen = isGone ? base.isProposal : followed.length === 0 || kept !== undefined
    if (!isRefused) setFollowed([])
    else if (isSeen) sendAgain(form.values, stored.version)
  })

  const toChanged = (field: string): ChangedField => ({
    ...(stored?.fields[field] ?? { label: field }),
    field,
    mine: form.values[field as keyof Values],
    theirs: theirs[field as keyof Values],
  })
  const decide = (fields: readonly string[]) =>
    setDecided({ version: stored?.version ?? null, kept: [...(kept ?? []), ...fields] })
  const isAsking = openClashes.length > 0
  const isRemoved = isRefused && !isBehind && base.isProposal
  const shownFollowed = isRefused || isAsking ? followed : []
  const conflict: Conflict = {
    clashes: openClashes.map(toChanged),
    followed: shownFollowed.map(toChanged),
    isRemoved,
    keepMine: (field) => decide([field]),
    takeTheirs(field) {
      decide([])
      form.setValues({ [field]: theirs[field as keyof Values] } as Partial<Values>)
    },
  }
  return {
    base,
    conflict: isAsking || isRemoved || shownFollowed.length > 0 ? conflict : null,
    /** Makes the values that the server has saved the base of later comparisons. */
    rebase(values: Values) {
      setBase(({ version }) => ({ values, version, isProposal: false }))
      setFollowed([])
    },
  }
}
