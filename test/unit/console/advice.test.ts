import { describe, expect, it } from 'vitest'
import { withEnglishQuotes } from '../../../src/console/api/quotes.ts'
import { toAdvice } from '../../../src/console/components/form/advice.ts'
import { findNetworkProblem } from '../../../src/console/pages/team/service-accounts/network-problem.ts'

describe('what the server requires of a field', () => {
  it.each([
    ['Must be a string of 1 to 255 characters.', 'name', '', 'Enter a name (at most 255 characters).'],
    ['Must be a string of 1 to 255 characters.', 'groupRoles.0.group', '', 'Enter a group (at most 255 characters).'],
    [
      'Must be a string of 1 to 4096 characters.',
      'name',
      'x'.repeat(4097),
      'Use at most 4,096 characters; this has 4,097.',
    ],
    ['Must be a string of 8 to 1024 characters.', 'password', 'short', 'Use at least 8 characters.'],
    ['Must be a string of 8 to 1024 characters.', 'password', '', 'Use at least 8 characters.'],
    ['Must be a string of at most 500 characters.', 'note', undefined, 'Use at most 500 characters.'],
    ['Is required: a string of 1 to 255 characters.', 'name', '', 'Enter a name (at most 255 characters).'],
    ['Must be a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z.', 'expiresAt', '', 'Choose a date and a time.'],
    ['Must be in the future.', 'expiresAt', '', 'Choose a time in the future.'],
    ['Must be one of a, b.', 'value', 'c', 'Choose one of a, b.'],
    ['Must be at most 2048 characters.', 'url', '', 'Use at most 2048 characters.'],
    [
      'Must be an e-mail address of at most 254 characters.',
      'email',
      '',
      'Enter an e-mail address of at most 254 characters.',
    ],
    [
      'Must not contain credentials: remove the part before the @.',
      'url',
      '',
      'Leave out credentials: remove the part before the @.',
    ],
    ['There is no plan "pro" here.', 'planId', 'pro', 'There is no plan “pro” here.'],
  ])('is shown as advice: %s', (sentence, path, value, advice) => {
    expect(toAdvice(sentence, { path, value })).toBe(advice)
  })
})

describe("the server's messages", () => {
  it('are shown with typographic quotes, except within JSON', () => {
    expect(withEnglishQuotes(`There is no subscriber "import" in the plan's list ("all").`)).toBe(
      'There is no subscriber “import” in the plan’s list (“all”).',
    )
    expect(withEnglishQuotes('Send {"kind": "flag"}.')).toBe('Send {"kind": "flag"}.')
  })
})

describe('networks that a key may be used from', () => {
  it.each([
    [['203.0.113.0/24', '10.0.0.1/8'], 'Line 2: 10.0.0.1/8 has host bits; did you mean 10.0.0.0/8?'],
    [['2001:db8::1/32'], '2001:db8::1/32 has host bits; did you mean 2001:db8::/32?'],
    [['203.0.113.9'], '203.0.113.9 is a single address; did you mean 203.0.113.9/32?'],
    [['2001:DB8::9'], '2001:DB8::9 is a single address; did you mean 2001:DB8::9/128?'],
    [['office'], '“office” is not a network. Write it like 203.0.113.0/24.'],
    [['300.0.0.0/8'], '“300.0.0.0/8” is not a network. Write it like 203.0.113.0/24.'],
    [['10.0.0.0/33'], '10.0.0.0/33 must end with a number from 0 to 32 after the slash.'],
    [Array.from({ length: 21 }, (_, n) => `10.0.${n}.0/24`), 'Enter at most 20 networks; these are 21.'],
    [['203.0.113.0/24', '2001:db8::/32', '::ffff:10.0.0.0/104', '0.0.0.0/0'], null],
  ])('are checked line by line: %s', (networks, problem) => {
    expect(findNetworkProblem(networks)).toBe(problem)
  })
})
