import { describe, expect, it } from 'vitest'
import { ServerError } from '../../../src/console/api/errors.ts'
import { toCurl } from '../../../src/console/components/api/api-examples.ts'
import {
  describeExpiry,
  describeStart,
  expiryIn,
  fromLocalInput,
  moveEnd,
  nextMorning,
  toLocalInput,
} from '../../../src/console/components/form/expiry.ts'
import { assignErrorsToFields, withoutFieldName } from '../../../src/console/components/form/field-errors.ts'
import { compareChanges } from '../../../src/console/components/form/merge-changes.ts'
import { suggestKey } from '../../../src/console/components/form/suggest-key.ts'
import { formatRelative } from '../../../src/console/components/text/format-time.ts'
import { looksSame } from '../../../src/console/components/text/looks-same.ts'
import { shortenMiddle } from '../../../src/console/components/text/shorten.ts'
import {
  flag,
  oneOf,
  parseSearch,
  searchParams,
  stringifySearch,
  text,
} from '../../../src/console/frame/search-params.ts'
import { listSubscribers } from '../../../src/console/pages/subscribers/api-examples.ts'
import { findInviteToken } from '../../../src/console/session/invite-token.ts'

function refusal(details: Record<string, unknown>): ServerError {
  return new ServerError('refused', { code: 'VALIDATION_ERROR', status: 422, requestId: 'req_1', details })
}

describe('an error in a form', () => {
  it('is shown at each field that it concerns, without the name of the field', () => {
    const fields = [
      { path: 'displayName', message: 'display_name must be a string of 1 to 255 characters.' },
      { path: 'options.2', message: 'options.2 must be one of a, b.' },
    ]

    const { byField, rest } = assignErrorsToFields(refusal({ fields }), { displayName: '', options: [] })

    expect([...byField]).toEqual([
      ['displayName', 'Enter a name (at most 255 characters).'],
      ['options', 'Line 3: Choose one of a, b.'],
    ])
    expect(rest).toBeNull()
  })

  it('is shown as a whole if a part of it belongs to no field', () => {
    const error = refusal({ fields: [{ path: 'invite', message: 'invite is required.' }] })

    expect(assignErrorsToFields(error, { email: '' }).rest).toBe(error)
    expect(assignErrorsToFields(new Error('away'), { email: '' }).rest?.message).toBe('away')
  })

  it('is shown at the field that a conflict names', () => {
    expect(assignErrorsToFields(refusal({ field: 'key', value: 'sso' }), { key: 'sso' }).byField.get('key')).toBe(
      'refused',
    )
  })

  it('keeps a message unchanged if it does not begin with the name of the field', () => {
    expect(withoutFieldName('There is an account with this e-mail.', 'email')).toBe(
      'There is an account with this e-mail.',
    )
  })
})

describe('a change by someone else', () => {
  const base = { name: 'Seats', options: ['a', 'b'], description: '' }

  it('is adopted in fields that the person has not edited', () => {
    const mine = { ...base, name: 'Places' }
    const theirs = { ...base, options: ['b'], description: 'People' }

    expect(compareChanges(base, mine, theirs)).toEqual({ followed: ['options', 'description'], clashes: [] })
  })

  it('is a conflict in a field that both people changed to different values', () => {
    const mine = { ...base, name: 'Places', description: 'People' }
    const theirs = { ...base, name: 'Chairs', description: 'People' }

    expect(compareChanges(base, mine, theirs)).toEqual({ followed: [], clashes: ['name'] })
  })

  it('is a conflict in every field with a different value if the form is for a new object', () => {
    const theirs = { ...base, name: 'Chairs', description: 'People' }

    expect(compareChanges(null, base, theirs)).toEqual({ followed: [], clashes: ['name', 'description'] })
  })
})

describe("the page's address", () => {
  const read = searchParams({ q: text(), kind: oneOf(['FLAG', 'LIMIT']), create: flag() })

  it('keeps text unchanged, even if it looks like a number or JSON', () => {
    for (const q of ['007', 'true', 'null', '{"a":1}', 'a&b=c', '"']) {
      expect(read(parseSearch(stringifySearch({ q })))).toEqual({ q })
    }
  })

  it('drops unknown parameters', () => {
    expect(read(parseSearch('?kind=NONE&create=1&other=x&__proto__=y'))).toEqual({ create: true })
    expect(stringifySearch({ q: undefined, create: true })).toBe('?create=1')
    expect(stringifySearch({ q: undefined })).toBe('')
  })
})

describe('text helpers', () => {
  it('shorten text in the middle without splitting a character', () => {
    expect(shortenMiddle('abcdefghij', 7)).toBe('abc…hij')
    expect(shortenMiddle('🚀🚀🚀🚀', 3)).toBe('🚀…🚀')
    expect(shortenMiddle('short', 5)).toBe('short')
  })

  it('say how far a time is in the past or future', () => {
    const now = new Date('2026-11-22T12:00:00Z')
    expect(formatRelative(new Date('2026-11-22T09:00:00Z'), now)).toBe('3 h ago')
    expect(formatRelative(new Date('2026-12-04T12:00:00Z'), now)).toBe('in 12 days')
    expect(formatRelative(new Date('2026-12-06T11:59:40Z'), now)).toBe('in 14 days')
    expect(formatRelative(new Date('2026-11-22T12:00:30Z'), now)).toBe('in under a minute')
    expect(formatRelative(now, now)).toBe('just now')
  })

  it('call a day tomorrow or yesterday only if it is next to today', () => {
    const now = new Date(2026, 10, 23, 9)
    expect(formatRelative(new Date(2026, 10, 24, 23), now)).toBe('tomorrow')
    expect(formatRelative(new Date(2026, 10, 25, 8), now)).toBe('in 2 days')
    expect(formatRelative(new Date(2026, 10, 22, 1), now)).toBe('yesterday')
    expect(formatRelative(new Date(2026, 10, 21, 23), now)).toBe('2 days ago')
    expect(formatRelative(new Date(2026, 9, 1), new Date(2026, 10, 29))).toBe('1 month ago')
  })

  it('treat texts that look the same as equal', () => {
    expect(looksSame(' Cafe\u0301  Berlin', 'Caf\u00e9 Berlin')).toBe(true)
    expect(looksSame('cafe', 'Cafe')).toBe(false)
  })

  it('write the same filters of subscribers for REST as for GraphQL', () => {
    const filter = { text: 'acme', planId: 'pro', withoutOverrideOf: ['seats'] }
    const { path, graphql } = listSubscribers(filter)
    expect(path).toBe('/org/subscribers?text=acme&plan_id=pro&without_override_of=seats')
    expect(graphql.variables).toEqual({ filter })
  })

  it('suggest a key for a name', () => {
    expect(suggestKey('Data export (CSV)')).toBe('data-export-csv')
    expect(suggestKey('🚀')).toBe('')
  })

  it('find the invite token in a pasted link', () => {
    expect(findInviteToken(' https://example.org/join#inv_abC123 ')).toBe('inv_abC123')
    expect(findInviteToken('https://example.org/join')).toBeNull()
  })
})

describe('an expiry', () => {
  const now = new Date('2027-02-26T08:00:00Z')

  it('is described in local time, in UTC, and by the days left', () => {
    expect(describeExpiry('2027-03-12T08:00:00.000Z', now, 'Europe/Berlin')).toBe(
      'Expires 12 March 2027, 09:00 (Berlin), 08:00 UTC, in 14 days',
    )
    expect(describeExpiry('2027-03-12T08:00:00.000Z', now, 'UTC')).toBe('Expires 12 March 2027, 08:00 UTC, in 14 days')
    expect(describeExpiry('2027-03-12T02:00:00.000Z', now, 'America/New_York')).toBe(
      'Expires 11 March 2027, 21:00 (New York), 12 March 2027, 02:00 UTC, in 13 days',
    )
  })

  it('has a description even if it is "never", in the past, or incomplete', () => {
    expect(describeExpiry(null, now)).toBe('Never expires.')
    expect(describeExpiry('2027-02-26T05:00:00.000Z', now, 'UTC')).toBe(
      'Expired 26 February 2027, 05:00 UTC, 3 h ago: it would have no effect.',
    )
    expect(describeExpiry('', now)).toBe('Choose a date and a time.')
  })

  it('is a whole minute, which the input field shows in local time without changing it', () => {
    const expiry = expiryIn(14, new Date('2027-02-26T08:00:12Z'))
    expect(expiry).toBe('2027-03-12T08:01:00.000Z')
    expect(fromLocalInput(toLocalInput(expiry))).toBe(expiry)
    expect(fromLocalInput('')).toBe('')
    expect(toLocalInput(null)).toBe('')
  })
})

describe('the proposed start', () => {
  const now = new Date('2027-02-26T08:00:00Z')

  it('is described like an expiry, or as "now" if it is absent or has passed', () => {
    expect(describeStart('2027-03-01T08:00:00.000Z', now, 'Europe/Berlin')).toBe(
      'Starts 1 March 2027, 09:00 (Berlin), 08:00 UTC, in 3 days',
    )
    expect(describeStart(null, now)).toBe('Starts now.')
    expect(describeStart('2027-02-26T05:00:00.000Z', now)).toBe('Starts now, because that time has passed.')
    expect(describeStart('', now)).toBe('Choose a date and a time.')
  })

  it('is the next morning or next Monday morning, never today', () => {
    const morningOf = (day: string) => new Date(`${day}T09:00`).toISOString()
    const friday = new Date('2027-02-26T12:00')
    expect(nextMorning('tomorrow', friday)).toBe(morningOf('2027-02-27'))
    expect(nextMorning(1, friday)).toBe(morningOf('2027-03-01'))
    expect(nextMorning(1, new Date('2027-03-01T08:00'))).toBe(morningOf('2027-03-08'))
  })

  it('moves the end by as much as the start was moved', () => {
    const end = '2027-03-12T08:00:00.000Z'
    const [before, after] = ['2027-03-01T09:00:00.000Z', '2027-03-03T09:00:00.000Z']
    expect(moveEnd(end, { before, after })).toBe('2027-03-14T08:00:00.000Z')
  })

  it('keeps the end a whole number of days after the start, however long the form has been open', () => {
    const after = '2099-03-02T09:00:00.000Z'
    for (const openedAgoMs of [1_000, 29_000, 31_000, 20 * 60_000]) {
      const end = expiryIn(14, new Date(Date.now() - openedAgoMs))
      expect(moveEnd(end, { before: null, after })).toBe('2099-03-16T09:00:00.000Z')
    }
  })
})

it('a copied curl command quotes everything that the shell would interpret', () => {
  const command = toCurl('https://example.org', {
    method: 'POST',
    path: '/org/features',
    body: { name: "Bob's $HOME" },
    graphql: { document: '' },
  })

  expect(command).toBe(`curl -X POST https://example.org/org/features \\
  -H "X-API-Key: $ENTITLEMENTS_API_KEY" \\
  --json '{"name":"Bob'\\''s $HOME"}'`)
})
