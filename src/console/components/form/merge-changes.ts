export function hasSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Compares a form with the object as someone else saved it. `followed` lists the fields that only the other person changed, and
 * `clashes` those that both changed to different values. `base` is null if nothing was stored when the form was opened: then
 * all values in the form count as the person's.
 */
export function compareChanges<Values extends object>(
  base: Values | null,
  mine: Values,
  theirs: Values,
): { followed: (keyof Values & string)[]; clashes: (keyof Values & string)[] } {
  const names = Object.keys(mine) as (keyof Values & string)[]
  const changed = names.filter(
    (name) => !hasSameJson(mine[name], theirs[name]) && !(base && hasSameJson(theirs[name], base[name])),
  )
  const isUntouched = (name: keyof Values) => base !== null && hasSameJson(mine[name], base[name])
  return { followed: changed.filter(isUntouched), clashes: changed.filter((name) => !isUntouched(name)) }
}
