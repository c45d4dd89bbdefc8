import { z } from 'zod'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { countField, textField, timeField } from '../../core/answer-fields.ts'
import { asScalar } from '../../core/field-type.ts'
import { StoredJson } from '../../core/stored-json.ts'
import type { WebhookAttempt } from '../../database/generated/client.ts'

export type { WebhookAttempt } from '../../database/generated/client.ts'

export const attemptAnswer = defineAnswer<WebhookAttempt>(
  'WebhookAttempt',
  'One attempt to send an event to the receiver.',
  {
    number: countField(1).describe('The number of the attempt, from 1.'),
    started_at: timeField().describe('When the attempt began.'),
    duration_ms: countField().describe('The duration of the attempt, in milliseconds.'),
    status: countField(100).max(999).nullable().describe("The status of the receiver's answer."),
    error: textField(1, 8192).nullable().describe('Why the attempt failed; null if the receiver acknowledged it.'),
    answer: textField(0, 4096).nullable().describe("The beginning of the receiver's answer."),
    headers: fieldFrom(
      ({ headers }: WebhookAttempt) => (headers === null ? null : new StoredJson(headers)),
      asScalar('JSON', z.record(textField(1, 64), textField(0, 1024)))
        .nullable()
        .describe('The headers as they were sent, by name; null if none were sent or stored.'),
    ),
  },
)
