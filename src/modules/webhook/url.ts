import { z } from 'zod'
import { lengthOf, refuse } from '../../core/input.ts'
import { isStorableText } from '../../core/json.ts'

const maxLength = 2048
const allowed = `an http or https address without credentials, of at most ${maxLength} characters`

/** Where events may go; kept as it was sent. Which networks it may lead to is seen when an attempt connects. */
export function webhookUrl() {
  return z
    .string()
    .superRefine((text, context) => {
      const fault = findUrlFault(text)
      if (fault) refuse(context, `${fault}.`)
    })
    .describe(allowed)
}

/** Why the text is no address for a webhook, or null when it is one. */
export function findUrlFault(text: string): string | null {
  if (text.length > 2 * maxLength || lengthOf(text) > maxLength) return `must be at most ${maxLength} characters`
  // URL parsers drop white space and control characters, and read `http:host` and `http:\\host` as addresses.
  const isPlain = isStorableText(text) && !/[\s\p{Cc}\\]/u.test(text)
  if (!isPlain || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return `must be ${allowed}`
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? ''
  return authority.includes('@') ? 'must not carry credentials: remove what stands before the @' : null
}
