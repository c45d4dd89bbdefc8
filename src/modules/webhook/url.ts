import { isIP } from 'node:net'
import { z } from 'zod'
import { validationError } from '../../core/errors.ts'
import { hasAtMostCharacters } from '../../core/fields.ts'
import { refuse } from '../../core/issues.ts'
import { isStorableText } from '../../core/json.ts'
import { isPublicAddress } from '../../core/public-address.ts'
import type { Limits } from '../../operation/operation.ts'

const maxLength = 2048
const allowed = `an http or https address without credentials, of at most ${maxLength} characters`

/** The address for events, stored as sent. A host name is resolved when an attempt connects. */
export function webhookUrl() {
  return z
    .string()
    .superRefine((text, context) => {
      const fault = findUrlFault(text)
      if (fault) refuse(context, `${fault}.`)
    })
    .describe(allowed)
    .meta({ maxLength, pattern: '^[hH][tT][tT][pP][sS]?://[^/?#]' })
}

/** Why the text is not a valid webhook address; null if it is valid. */
function findUrlFault(text: string): string | null {
  if (!hasAtMostCharacters(text, maxLength)) return `must be at most ${maxLength} characters`
  // URL parsers drop white space and control characters, and accept `http:host` and `http:\\host`.
  const isPlain = isStorableText(text) && !/[\s\p{Cc}\\]/u.test(text)
  if (!isPlain || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return `must be ${allowed}`
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? ''
  return authority.includes('@') ? 'must not contain credentials: remove the part before the @' : null
}

/** Throws 422 for a host that attempts may not reach: a literal address that is not public, or a name for this machine. */
export function assertMayBeReached(url: string, { webhookAllowPrivateNetworks }: Limits): void {
  if (webhookAllowPrivateNetworks || isPublicHost(new URL(url).hostname)) return
  throw validationError([
    {
      path: 'url',
      message:
        'url must lead to a public address: this server sends no webhooks into private networks. Use a public address, or ask the operator of this server to set WEBHOOK_ALLOW_PRIVATE_NETWORKS.',
    },
  ])
}

/** `hostname` has the format of `URL.hostname`: IPv6 in brackets, and IPv4 as four decimal numbers. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host !== 'localhost' && !host.endsWith('.localhost')
}
