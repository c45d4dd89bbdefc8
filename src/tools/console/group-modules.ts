import type { Rolldown } from 'vite'

/**
 * Three scripts for each page, because a slow line waits for every file: one that each page needs (the start, signing in), one
 * that several pages of an organization share, and the page's own code. Pages with a table load it as a fourth: the Overview,
 * where most people arrive, has none. The code for dragging in the matrix and the options of enums is separate too.
 */
export const moduleGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', tags: ['$initial'], priority: 3 },
  {
    name: 'table',
    test: /[\\/]components[\\/]table[\\/](data-table|use-)|@tanstack[\\/](react-)?virtual/,
    priority: 2,
  },
  { name: 'drag', test: /@dnd-kit/, priority: 2 },
  {
    name: 'shared',
    // Histories are for pages of one object and for the audit log, not for the Overview.
    test: (id) => !/[\\/](components|pages[\\/]subscribers)[\\/]history[\\/](?!effect|revert)/.test(id),
    minShareCount: 2,
    priority: 1,
  },
]
