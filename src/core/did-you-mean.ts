import { distance } from 'fastest-levenshtein'

/** The known name that an unknown name clearly means (another spelling, a typo, or part of the name), or null. */
export function findIntendedName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > 100) return null
  const normalizedName = normalize(unknown)
  let best: { name: string; score: number } | null = null
  for (const name of known) {
    const score = dissimilarity(normalizedName, normalize(name))
    if (score !== null && (best === null || score < best.score)) best = { name, score }
  }
  return best?.name ?? null
}

type UnknownName = { name: string; meant: string | null; known: readonly string[] }

/** Explains why a name is refused, with the name that was probably meant, or all names that are allowed. */
export function describeUnknownName(term: string, { name, meant, known }: UnknownName): string {
  if (meant !== null) return `Unknown ${term} "${name}". Did you mean "${meant}"?`
  const allowed = known.length === 0 ? `No ${term}s are allowed here.` : `Allowed: ${known.join(', ')}.`
  return `Unknown ${term} "${name}". ${allowed}`
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The number of edits between two names, 0 for the same name; null if they are too different. */
function dissimilarity(unknown: string, name: string): number | null {
  if (unknown === name) return 0
  const edits = isSwap(unknown, name) ? 1 : distance(unknown, name)
  if (edits <= Math.max(1, Math.floor(name.length / 4))) return edits
  const isPart = unknown.length >= 4 && name.length >= 4 && (name.includes(unknown) || unknown.includes(name))
  return isPart ? edits : null
}

/** Whether the names differ by one swap of neighboring letters. This common typo is one edit here, but two by Levenshtein. */
function isSwap(unknown: string, name: string): boolean {
  if (unknown.length !== name.length) return false
  const at = [...name].findIndex((letter, index) => letter !== unknown[index])
  return at !== -1 && unknown === name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
}
