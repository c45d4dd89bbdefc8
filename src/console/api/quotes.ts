/** English quotation marks and apostrophes in a sentence; a text with JSON or code in it stays as it is. */
export function withEnglishQuotes(text: string): string {
  if (/[{}[\]\\]|":/.test(text)) return text
  return text.replace(/(^|[\s(])"([^"]*)"/g, '$1“$2”').replace(/(\p{L})'(\p{L})/gu, '$1’$2')
}
