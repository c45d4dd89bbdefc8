import { statusByCode as common } from '../../src/core/errors.ts'

/** Every code of the error contract with its HTTP status. Contract: Errors. */
export const statusByCode = { ...common, OPTION_IN_USE: 409, PLAN_ARCHIVED: 409 } as const

export type ErrorCode = keyof typeof statusByCode
