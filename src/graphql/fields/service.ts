import { readService, type Service, serviceAnswer } from '../../modules/accounts/read-service.ts'
import { type Invitation, invitationAnswer, readInvitation } from '../../modules/memberships/read-invitation.ts'
import { builder } from '../builder.ts'
import { argsOf } from '../input-type.ts'
import { answerFields } from '../output-type.ts'

const ServiceType = builder.objectRef<Service>('Service').implement({
  description: serviceAnswer.description,
  fields: (t) => answerFields(t, serviceAnswer),
})

const InvitationType = builder.objectRef<Invitation>('Invitation').implement({
  description: invitationAnswer.description,
  fields: (t) => answerFields(t, invitationAnswer),
})

builder.queryFields((t) => ({
  [readService.name]: t.field({
    type: ServiceType,
    description: `${readService.summary} For anyone.`,
    resolve: (_root, _args, context) => context.run(readService),
  }),
  [readInvitation.name]: t.field({
    type: InvitationType,
    description: `${readInvitation.summary} For anyone.`,
    args: argsOf(readInvitation.input.fields),
    resolve: (_root, args, context) => context.run(readInvitation, args),
  }),
}))
