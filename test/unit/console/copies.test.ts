import { expect, expectTypeOf, it } from 'vitest'
import type { Label as ServedLabel } from '../../../src/access/roles.ts'
import { eventTypes } from '../../../src/console/pages/webhook/event-types.ts'
import type { Label } from '../../../src/console/session/viewer.ts'
import { eventBodies } from '../../../src/events/event-body.ts'

/* In GraphQL, event types and labels are strings, so the console has copies of both lists. */

it('the console knows every type of event', () => {
  expect(eventTypes).toEqual([...eventBodies.keys()])
})

it('the console knows every label', () => {
  // `npm run types` checks this.
  expectTypeOf<Label>().toEqualTypeOf<ServedLabel>()
})
