import { subscriberAnswer } from '../../modules/subscribers/subscriber.ts'
import { builder } from '../builder.ts'
import { answerFields, shows } from '../output-type.ts'

/** Its subscriptions and overrides are fields that those modules add. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: subscriberAnswer.description,
  fields: (t) => answerFields(t, subscriberAnswer),
})

shows(SubscriberType, subscriberAnswer)
