import { expect, expectTypeOf, it } from 'vitest'
import type { Label as ServedLabel } from '../../../src/access/roles.ts'
import { eventTypes } from '../../../src/console/pages/webhook/event-types.ts'
import type { Label } from '../../../src/console/session/viewer.ts'
import { eventBodies } from '../../../src/events/event-body.ts'

/* GraphQL has these as strings, so the console has copies. */

it('the console knows every type of event', () => {
  expect(eventTypes).toEqual([...eventBodies.keys()])
})

it('the console knows every label', () => {
  // Checked by `npm run types`.
  expectTypeOf<Label>().toEqualTypeOf<ServedLabel>()
})
