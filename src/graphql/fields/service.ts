import { providerAnswer, serviceAnswer } from '../../modules/accounts/read-service.ts'
import { invitationAnswer } from '../../modules/memberships/read-invitation.ts'
import { defineType } from '../output-type.ts'

defineType(providerAnswer)

defineType(serviceAnswer)

defineType(invitationAnswer)
