export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The fields of a form in which the object, as someone else has left it, differs from what the form shows. `followed` are
 * those that the person did not edit, `clashes` those that both changed. With `base` null, nothing was stored when the form
 * was opened: all it shows is the person's.
 */
export function compareChanges<Values extends object>(
  base: Values | null,
  mine: Values,
  theirs: Values,
): { followed: (keyof Values & string)[]; clashes: (keyof Values & string)[] } {
  const names = Object.keys(mine) as (keyof Values & string)[]
  const changed = names.filter(
    (name) => !isSame(mine[name], theirs[name]) && !(base && isSame(theirs[name], base[name])),
  )
  const isUntouched = (name: keyof Values) => base !== null && isSame(mine[name], base[name])
  return { followed: changed.filter(isUntouched), clashes: changed.filter((name) => !isUntouched(name)) }
}
