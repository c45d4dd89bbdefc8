/** Matches valid percent-encoded UTF-8. An exception of `decodeURIComponent` would cost as much as hundreds of characters. */
const decodablePattern =
  /^(?:[^%]|%[0-7][\da-f]|%(?:c[2-9a-f]|d[\da-f])%[89ab][\da-f]|%(?:e0%[ab][\da-f]|e[1-9a-cef]%[89ab][\da-f]|ed%[89][\da-f])%[89ab][\da-f]|%(?:f0%[9ab][\da-f]|f[1-3]%[89ab][\da-f]|f4%8[\da-f])(?:%[89ab][\da-f]){2})*$/i

export function isDecodable(text: string): boolean {
  return !text.includes('%') || decodablePattern.test(text)
}

/** Null if the text is not valid percent-encoded UTF-8. */
export function decodePercent(text: string): string | null {
  return isDecodable(text) ? decodeURIComponent(text) : null
}
