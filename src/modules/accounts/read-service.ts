import { z } from 'zod'
import { defineAnswer, nullableFrom } from '../../core/answer.ts'
import { textField } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { version } from '../../core/version.ts'
import { defineOpenRead } from '../../operation/operation.ts'

type Provider = { name: string }

export type Service = {
  version: string
  signUp: 'open' | 'invited'
  oidc: Provider | null
  localSignIn: boolean
}

export const providerAnswer = defineAnswer<Provider>('OidcProvider', 'An identity provider where people sign in.', {
  name: textField(1, 100).describe('The display name, as shown on the sign-in button of the console.'),
})

export const serviceAnswer = defineAnswer<Service>('Service', 'Public information about this service.', {
  version: textField(1, 64).describe('The version of the software.'),
  sign_up: namedEnum('SignUp', { open: 'Anyone.', invited: 'People with an invite.' }, 'Who may sign up.').describe(
    'Who may sign up: anyone, or people with an invite.',
  ),
  oidc: nullableFrom(
    'oidc',
    providerAnswer,
    'The identity provider where people sign in with OpenID Connect, at /auth/oidc/start; null if there is none.',
  ),
  local_sign_in: z.boolean().describe('Whether people sign in with a password.'),
})

export const readService = defineOpenRead({
  name: 'service',
  summary: 'Read the version of the service, who may sign up, and how people sign in.',
  route: '/service',
  input: defineInput({}, { unknown: 'ignore' }),
  answer: serviceAnswer,
  run: async ({ identity: { signUp, oidc, localSignIn } }): Promise<Service> => ({
    version,
    signUp,
    oidc: oidc && { name: oidc.name },
    localSignIn,
  }),
})
