/** What moves the cursor, hides or reorders text, or breaks a line. Letters and emoji are joined by what is left out here. */
const unprintable = /(?!\t|\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** One line of text as a terminal may show it: what could change the rest is written as in JSON, so JSON stays the same. */
export function toPrintable(line: string): string {
  return line.replace(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}
