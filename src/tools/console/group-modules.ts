import type { Rolldown } from 'vite'

type Groups = Rolldown.CodeSplittingGroup[]

/**
 * Three scripts for each page, because a slow line waits for every file: what each page needs (the start, signing in), what
 * several pages of an organization share, and the page's own code.
 */
export function groupModules(entry: string): Groups {
  let base: ReadonlySet<string> | undefined
  return [
    {
      name(id, context) {
        base ??= findStaticImports(entry, context)
        return base.has(id) ? 'base' : null
      },
      priority: 2,
    },
    { name: 'shared', minShareCount: 3, priority: 1 },
  ]
}

/** The module and all that it imports, without what is loaded on demand. */
function findStaticImports(entry: string, { getModuleInfo }: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([entry])
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
