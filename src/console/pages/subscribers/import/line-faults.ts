/*
 * GraphQL refuses all lines of a request when a value of one of them has another type than it takes, and in words of its own.
 * So the types of each line are looked at before it is sent, in the words of the REST door, whose form the file has.
 */

type Json = Record<string, unknown>

type Rule = { isFit(value: unknown): boolean; allowed: string }

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)

const subscriberId: Rule = {
  isFit: isText,
  allowed: 'a subscriber id: 1 to 255 characters without white space, slashes or control characters',
}

const lineRules: Record<string, Rule> = {
  name: { isFit: isTextOrNull, allowed: 'a string of 1 to 255 characters, or null' },
  plan_id: { isFit: isTextOrNull, allowed: 'the key of a plan, or null' },
  overrides: { isFit: isObject, allowed: 'an object with an override, or null, for each feature key' },
}

const overrideRules: Record<string, Rule> = {
  kind: {
    isFit: (value) => value === 'flag' || value === 'limit' || value === 'config',
    allowed: 'one of flag, limit, config',
  },
  allowed: { isFit: (value) => typeof value === 'boolean', allowed: 'true or false' },
  limit: {
    isFit: (value) => value === null || Number.isSafeInteger(value),
    allowed: 'an integer from 0 to 9007199254740991, or null for unlimited',
  },
  value: { isFit: () => true, allowed: '' },
  expires_at: {
    isFit: isTextOrNull,
    allowed: 'an RFC 3339 timestamp that exists, such as 2027-01-31T09:00:00Z, or null for no expiry',
  },
  note: { isFit: isTextOrNull, allowed: 'a string of 1 to 500 characters, or null' },
  expected_updated_at: {
    isFit: isTextOrNull,
    allowed: "the override's updated_at as you read it, or null when there was none",
  },
}

/** The first value of a line that has a wrong type, as a sentence; null if there is none. The server judges the rest. */
export function findFault(line: Json): string | null {
  if (!('subscriber_id' in line)) return `subscriber_id is required: ${subscriberId.allowed}.`
  return (
    findUnfit(line, { subscriber_id: subscriberId, ...lineRules }) ??
    firstOf(Object.entries(line.overrides ?? {}), ([feature, put]) => findFaultOfOverride(feature, put))
  )
}

function findFaultOfOverride(feature: string, put: unknown): string | null {
  if (put === null) return null
  if (!isObject(put)) return `overrides.${feature} must be an override, or null to delete it.`
  return findUnfit(put, overrideRules) ?? findUnknown(put)
}

function findUnknown(put: Json): string | null {
  const known = Object.keys(overrideRules)
  const unknown = Object.keys(put).find((name) => !known.includes(name))
  return unknown === undefined ? null : `Unknown field "${unknown}". Allowed: ${known.join(', ')}.`
}

function findUnfit(fields: Json, rules: Record<string, Rule>): string | null {
  return firstOf(Object.entries(rules), ([name, { isFit, allowed }]) =>
    Object.hasOwn(fields, name) && !isFit(fields[name]) ? `${name} must be ${allowed}.` : null,
  )
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
