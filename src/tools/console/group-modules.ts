import type { Rolldown } from 'vite'

/** Radio buttons, and a file that imports them. */
const choice = /[\\/](form[\\/](radio|role)-choice|components[\\/]Radio[\\/]|service-accounts[\\/]account\.ts)/

/** Pages of one object and the audit log show histories. */
const history = /[\\/](components|pages[\\/]subscribers)[\\/]history[\\/](?!effect|revert)/

/**
 * Three scripts for each page, because on a slow connection every file costs a wait: one that each page needs (the start,
 * signing in), one that several pages of an organization share, and the page's own code. Pages with a table load the table's
 * code as a fourth script; the Overview, where most people arrive, has no table. The code for dragging in the matrix and in the
 * options of enums is separate too, and so is that for radio buttons.
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
    // The Overview shows neither.
    test: (id) => !history.test(id) && !choice.test(id),
    minShareCount: 2,
    priority: 1,
  },
  // Comes last, so that the code that it shares with the Overview is in `shared`.
  { name: 'choice', test: choice, priority: 0 },
]
