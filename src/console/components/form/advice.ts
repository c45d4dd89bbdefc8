import { withEnglishQuotes } from '../../api/quotes.ts'
import { formatNumber } from '../text/number.ts'

/** What a field asks for, by the last part of its path. */
const fieldNouns: Record<string, string> = {
  name: 'a name',
  displayName: 'a name',
  key: 'a key',
  kind: 'a kind',
  group: 'a group',
  email: 'an e-mail address',
  url: 'an address',
  subscriberId: 'an id',
  description: 'a description',
  note: 'a note',
  reason: 'a reason',
  password: 'a password',
  currentPassword: 'a password',
  newPassword: 'a password',
  invite: 'an invite link',
}

type InvalidField = { path: string; value: unknown }

type Rule = readonly [demand: RegExp, advise: (match: RegExpExecArray, field: InvalidField) => string]

/** The server's demands as patterns, each with its advice. The first match counts. */
const rules: readonly Rule[] = [
  [/^a string of (\d+) to (\d+) characters$/, ([, min, max], given) => adviseLength(Number(min), Number(max), given)],
  [/^a string of at most (\d+) characters$/, ([, max], given) => adviseLength(0, Number(max), given)],
  [/^(\d+ to \d+) (lower-case .*)$/, ([, count, what]) => `Use ${count} ${what}.`],
  [
    /^1 to (\d+) unique strings, each of 1 to (\d+) characters$/,
    ([, most, max]) => `Add 1 to ${most} different options, each of at most ${max} characters.`,
  ],
  [/^a valid RFC 3339 timestamp/, () => 'Choose a date and a time.'],
  [/^in the future$/, () => 'Choose a time in the future.'],
  [/^before expires_at$/, () => 'Choose a start before the end.'],
  [/^(one of .*|true or false)$/, ([, choices]) => `Choose ${choices}.`],
  [/^at most (.*)$/, ([, most]) => `Use at most ${most}.`],
]

/**
 * Rewords the server's demand on a field as advice: for an empty name, "Must be a string of 1 to 255 characters." becomes
 * "Enter a name (at most 255 characters)." Other sentences stay as they are.
 */
export function toAdvice(sentence: string, given: InvalidField): string {
  const quotedSentence = withEnglishQuotes(sentence)
  const unwanted = /^Must not contain (.*)$/.exec(quotedSentence)?.[1]
  if (unwanted) return `Leave out ${unwanted}`
  const goal = /^Must lead to (.*)$/.exec(quotedSentence)?.[1]
  if (goal) return `Use ${goal}`
  const demand = /^(?:Must be|Is required:) (.*?)\.?$/.exec(quotedSentence)?.[1]
  if (!demand) return quotedSentence
  for (const [pattern, advise] of rules) {
    const match = pattern.exec(demand)
    if (match) return advise(match, given)
  }
  return `Enter ${demand}.`
}

function adviseLength(min: number, max: number, { path, value }: InvalidField): string {
  const length = typeof value === 'string' ? [...value].length : null
  const most = formatNumber(max)
  if (length !== null && length > max) return `Use at most ${most} characters; this has ${formatNumber(length)}.`
  if (min > 1) return `Use at least ${min} characters.`
  if (min === 0 || length === null || length > 0) return `Use at most ${most} characters.`
  return `Enter ${fieldNouns[path.split('.').at(-1) ?? ''] ?? 'a value'} (at most ${most} characters).`
}
