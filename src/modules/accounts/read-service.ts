import { defineAnswer } from '../../core/answer.ts'
import { textField } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { version } from '../../core/version.ts'
import { defineOpenRead } from '../../operation/operation.ts'

export type Service = { version: string; signUp: 'open' | 'invited' }

export const serviceAnswer = defineAnswer<Service>('Service', 'Public information about this service.', {
  version: textField(1, 64).describe('The version of the software.'),
  sign_up: namedEnum('SignUp', ['open', 'invited'], 'Who may sign up: anyone, or people with an invite.').describe(
    'Who may sign up: anyone, or people with an invite.',
  ),
})

export const readService = defineOpenRead({
  name: 'service',
  summary: 'Read the version of the service, and who may sign up.',
  route: '/service',
  input: defineInput({}, { unknown: 'ignore' }),
  answer: serviceAnswer,
  run: async ({ identity: { signUp } }): Promise<Service> => ({ version, signUp }),
})
