import { hash } from 'node:crypto'

/** A strong entity tag for an answer that changes only when this text changes. */
export function toEtag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}

/**
 * Whether `If-None-Match` is `*` or lists the tag, weak or strong (RFC 9110, 13.1.2): the answer is then 304. Tags contain no
 * quotes inside, so the text of a tag cannot be part of another tag.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*')
}
