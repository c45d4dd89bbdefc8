import type { SubscriberQuery } from '../../generated/subscribers.ts'

export type Subscriber = NonNullable<SubscriberQuery['subscriber']>
export type ActiveSubscription = NonNullable<Subscriber['activeSubscription']>

/** For sentences and titles. */
export function nameOf({ name, subscriberId }: Pick<Subscriber, 'name' | 'subscriberId'>): string {
  return name ?? subscriberId
}
