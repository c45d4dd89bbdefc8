import { emptyDraft, parseDraft, printDraft } from './draft.ts'
import { noInvalidCells, parseInvalidCells, printInvalidCells } from './invalid-cells.ts'
import { createTabStore } from './tab-store.ts'

export const {
  read: readDraft,
  update: updateDraft,
  use: useDraft,
} = createTabStore('plans', {
  empty: emptyDraft,
  isEmpty: (draft) => draft.size === 0,
  print: printDraft,
  parse: parseDraft,
})

export const { update: updateUnfinished, use: useUnfinished } = createTabStore('unfinished', {
  empty: noInvalidCells,
  isEmpty: (unfinished) => unfinished.size === 0,
  print: printInvalidCells,
  parse: parseInvalidCells,
})

/** Why the plans change, as typed in the review. */
export const {
  read: readReason,
  update: updateReason,
  use: useReason,
} = createTabStore('reason', {
  empty: '',
  isEmpty: (reason) => reason === '',
  print: (reason) => reason,
  parse: (text) => text,
})
