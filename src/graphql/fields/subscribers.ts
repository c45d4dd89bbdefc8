import { subscriberAnswer } from '../../modules/subscribers/subscriber.ts'
import { builder } from '../builder.ts'
import { answerFields, shows } from '../output-type.ts'

/** The modules of subscriptions and overrides add their own fields. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: subscriberAnswer.description,
  fields: (t) => answerFields(t, subscriberAnswer),
})

shows(SubscriberType, subscriberAnswer)
