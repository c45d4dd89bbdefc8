import { hash } from 'node:crypto'

/** A strong entity tag for an answer that differs only when this text differs. */
export function toEtag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}

/**
 * Whether `If-None-Match` names the answer, so that 304 is enough: as `*` or in its list, weak or strong (RFC 9110, 13.1.2). A
 * tag has no quotes within, so that its whole text is found nowhere else in a list.
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*')
}
