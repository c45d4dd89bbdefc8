/**
 * Characters that move the cursor, hide or reorder text, or break a line. The pattern excludes tabs, and characters that join
 * letters or emoji.
 */
const unprintablePattern = /(?!\t|\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Makes one line of text safe to print on a terminal: escapes dangerous characters as JSON does, so the meaning of a JSON text
 * stays the same.
 */
export function toPrintable(line: string): string {
  return line.replace(unprintablePattern, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}
