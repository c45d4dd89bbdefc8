import { subscriberAnswer } from '../../modules/subscribers/subscriber.ts'
import { builder } from '../builder.ts'
import { answerFields, registerType } from '../output-type.ts'

/** Other files of this folder, such as overrides.ts and subscriptions.ts, add fields to this type. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: subscriberAnswer.description,
  fields: (t) => answerFields(t, subscriberAnswer),
})

registerType(SubscriberType, subscriberAnswer)
