import type { Rate } from '../../operation/operation.ts'

/** The common rate limit of explanations and histories, which are computed from many rows. */
export const pastReadRate: Rate = { name: 'past', perSecond: 20 }
