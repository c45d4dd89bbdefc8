import type { Fields } from '../../components/form/fields.tsx'
import type { SubscriberQuery } from '../../generated/subscribers.ts'

export type Subscriber = NonNullable<SubscriberQuery['subscriber']>
export type ActiveSubscription = NonNullable<Subscriber['activeSubscription']>

/** The fields of a subscriber that people write. */
export const subscriberFields = {
  name: { label: 'Name', description: 'A display name; optional.', orNull: true, inHead: true },
} satisfies Fields

export type SubscriberInput = Record<keyof typeof subscriberFields, string | null>

/** The subscriber's name in sentences and titles, or the id if there is no name. */
export function nameOf({ name, subscriberId }: Pick<Subscriber, 'name' | 'subscriberId'>): string {
  return name ?? subscriberId
}
