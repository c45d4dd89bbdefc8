import type { Rate } from '../../operation/operation.ts'

/** Explanations and histories, together: each is computed from many rows. */
export const pastRate: Rate = { name: 'past', perSecond: 20 }
