import type { Rolldown } from 'vite'

/**
 * Three scripts for each page, because on a slow connection every file costs a wait: one that each page needs (the start,
 * signing in), one that several pages of an organization share, and the page's own code. Pages with a table load the table's
 * code as a fourth script; the Overview, where most people arrive, has no table. The code for dragging in the matrix and in the
 * options of enums is separate too.
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
    // Pages of one object and the audit log show histories; the Overview does not.
    test: (id) => !/[\\/](components|pages[\\/]subscribers)[\\/]history[\\/](?!effect|revert)/.test(id),
    minShareCount: 2,
    priority: 1,
  },
]
