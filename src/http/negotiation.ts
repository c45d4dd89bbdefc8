import { parse } from 'content-type'
import Negotiator from 'negotiator'

/** The maximum length of `Accept` and `Accept-Encoding`; a longer header is ignored. Contract: Errors 8. */
const maxLength = 2_048

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The media type that the request prefers (RFC 9110, 12.5.1), or the first one if it accepts none of them. */
export function preferredType<Type extends string>(
  request: { headers: Headers },
  types: readonly [Type, ...Type[]],
): Type {
  const accept = ignoreIfTooLong(request.headers.accept)
  if (accept === undefined || accept === '*/*') return types[0]
  const negotiator = new Negotiator({ headers: { accept: withWeightsOnly(accept) } })
  return (negotiator.mediaType([...types]) as Type | undefined) ?? types[0]
}

/** Whether the request prefers this media type to JSON. */
export function prefers(request: { headers: Headers }, type: string): boolean {
  return preferredType(request, ['application/json', type]) === type
}

/** Whether a person reads the answer in a browser, which prefers pages. */
export function prefersPage(request: { headers: Headers }): boolean {
  return prefers(request, 'text/html')
}

/** The first of these encodings that the client accepts (RFC 9110, 12.5.3). */
export function acceptedEncoding<Encoding extends string>(
  request: { headers: Headers },
  encodings: readonly Encoding[],
): Encoding | undefined {
  const header = ignoreIfTooLong(request.headers['accept-encoding'])
  if (header === undefined) return undefined
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(encodings)
  return encodings.find((encoding) => accepted.includes(encoding))
}

/** Whether a `Content-Type` names this media type, in UTF-8. Other parameters are ignored. */
export function isInUtf8(contentType: string | undefined, mediaType: string): boolean {
  if (contentType === undefined || contentType === mediaType) return contentType === mediaType
  const { type, parameters } = parse(contentType)
  return type === mediaType && isUtf8(parameters.charset ?? 'utf-8')
}

/** Whether the charset is UTF-8. A caller may use any of its labels in the Encoding Standard, such as `UTF8`. */
function isUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding === 'utf-8'
  } catch {
    return false
  }
}

function ignoreIfTooLong(header: string | string[] | undefined): string | undefined {
  const text = header === undefined ? undefined : String(header)
  return text !== undefined && text.length > maxLength ? undefined : text
}

/** Removes all parameters but weights: `text/csv; charset=utf-8` counts as `text/csv`. */
function withWeightsOnly(accept: string): string {
  const ranges = accept.split(',').map((range) => {
    const [type, ...parameters] = range.split(';')
    const weight = parameters.find((parameter) => parameter.trim().toLowerCase().startsWith('q='))
    return weight === undefined ? type : `${type};${weight}`
  })
  return ranges.join(',')
}
