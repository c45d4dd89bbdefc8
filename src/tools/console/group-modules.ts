import type { Rolldown } from 'vite'

/**
 * Three scripts for each page, because a slow line waits for every file: what each page needs (the start, signing in), what
 * several pages of an organization share, and the page's own code.
 */
export const moduleGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', tags: ['$initial'], priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1 },
]
