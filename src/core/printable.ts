/**
 * Characters that move the cursor, hide or reorder text, or break a line. Letters and emoji may be joined by characters that
 * are left out here.
 */
const unprintable = /(?!\t|\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * One line of text that is safe to print on a terminal: characters that could change the rest are escaped as in JSON, so JSON
 * stays the same.
 */
export function toPrintable(line: string): string {
  return line.replace(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}
