/** Makes straight quotation marks and apostrophes curly. A text that contains JSON or code stays as it is. */
export function withEnglishQuotes(text: string): string {
  if (/[{}[\]\\]|":/.test(text)) return text
  return text.replace(/(^|[\s(])"([^"]*)"/g, '$1“$2”').replace(/(\p{L})'(\p{L})/gu, '$1’$2')
}
