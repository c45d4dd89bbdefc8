import { z } from 'zod'
import { note } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { type EvalUsage, loadEvalUsage } from '../../gate/eval-usage.ts'
import { defineRead } from '../../operation/operation.ts'
import { evalUsageAnswer } from './entitlement.ts'

/** The organization's evals in a calendar month (UTC), by day, and its allotment. */
export const readEvalUsage = defineRead({
  name: 'evalUsage',
  summary: 'Read how many evals the organization used in a calendar month (UTC).',
  route: '/org/eval-usage',
  service: 'api',
  labels: ['org:read'],
  input: defineInput(
    {
      month: note(
        z
          .string()
          .regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/)
          .optional()
          .describe('a calendar month such as 2026-11'),
        { meaning: 'The month (UTC); if left out, the current month.' },
      ),
    },
    { unknown: 'ignore' },
  ),
  answer: evalUsageAnswer,
  run: ({ db, organizationId, input, limits }): Promise<EvalUsage> =>
    loadEvalUsage(db, { organizationId, month: input.month, monthlyAllotment: limits.evalMonthlyAllotment }),
})
