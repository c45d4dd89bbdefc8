export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Fills a form once someone else has changed the object that it shows: their values where the person typed nothing.
 * `clashes` are the fields that both changed, to different values.
 */
export function mergeChanges<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
): { merged: Values; clashes: (keyof Values & string)[] } {
  const merged = { ...mine }
  const clashes: (keyof Values & string)[] = []
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (isSame(mine[field], base[field])) merged[field] = theirs[field]
    else if (!isSame(theirs[field], base[field]) && !isSame(mine[field], theirs[field])) clashes.push(field)
  }
  return { merged, clashes }
}
