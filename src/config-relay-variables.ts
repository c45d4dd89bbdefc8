import { z } from 'zod'
import { folder, secretText, secretTexts, upstreamUrl, wholeNumber } from './config-values.ts'
import { optional, secret, type Variable, variable } from './config-variable.ts'
import { variables } from './config-variables.ts'

/** The variables of the service that a relay reads too. */
const sharedNames = [
  'NODE_ENV',
  'HOST',
  'PROCESSES',
  'SHUTDOWN_GRACE_MS',
  'METRICS_PORT',
  'METRICS_HOST',
  'LOG_FORMAT',
  'LOG_LEVEL',
  'MAX_FOLLOWERS',
  'MAX_CONNECTIONS',
  'BODY_LIMIT_BYTES',
  'MAX_RECEIVING_BYTES',
  'MAX_PARSED_BYTES',
  'MAX_WAITING_BYTES',
  'ANSWER_TIMEOUT_MS',
  'MAX_ANSWER_BYTES',
] as const

/** The variables that only a relay (`npm run start:relay`) reads. */
export const ownRelayVariables = {
  PORT: variable(wholeNumber(0, 65_535), '4001', 'the port to listen on'),
  RELAY_UPSTREAM_URL: optional(upstreamUrl(), 'required', 'the address of the service, or of another relay'),
  ENTITLEMENTS_API_KEY: secret(
    optional(secretText(), 'required', 'a key of the service with the role `evaluator`, or a token of the other relay'),
  ),
  RELAY_TOKENS: secret(
    optional(secretTexts(), 'none', 'what callers send as their key: one or several secrets, separated by commas'),
  ),
  RELAY_MAX_SUBSCRIBERS: variable(wholeNumber(1, 100_000_000), '100000', 'subscribers that a process remembers'),
  RELAY_STORE: optional(folder(), 'none', 'a folder in which the last answers survive a restart'),
  RELAY_WARM: variable(
    z.enum(['none', 'stored', 'all']).describe('none, stored or all'),
    'stored',
    'which subscribers the relay loads at startup: `none`, `stored` (those of `RELAY_STORE`) or `all`',
  ),
  RELAY_ON_UNAVAILABLE: variable(
    z.enum(['last-known', 'deny', 'error']).describe('last-known, deny or error'),
    'last-known',
    'what to answer while the upstream cannot be reached: the last answer, a denial (`deny`), or 503 (`error`)',
  ),
} satisfies Record<string, Variable<unknown>>

type SharedVariables = Pick<typeof variables, (typeof sharedNames)[number]>

export const relayVariables = {
  ...(Object.fromEntries(sharedNames.map((name) => [name, variables[name]])) as SharedVariables),
  ...ownRelayVariables,
} satisfies Record<string, Variable<unknown>>
