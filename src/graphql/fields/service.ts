import { providerAnswer, serviceAnswer } from '../../modules/accounts/read-service.ts'
import { invitationAnswer } from '../../modules/memberships/read-invitation.ts'
import { defineType } from '../output-type.ts'

const ProviderType = defineType(providerAnswer)

defineType(serviceAnswer, {
  except: ['oidc'],
  fields: (t) => ({
    oidc: t.field({
      type: ProviderType,
      nullable: true,
      description:
        'The identity provider where people sign in with OpenID Connect, at /auth/oidc/start; null if there is none.',
      resolve: ({ oidc }) => oidc,
    }),
  }),
})

defineType(invitationAnswer)
