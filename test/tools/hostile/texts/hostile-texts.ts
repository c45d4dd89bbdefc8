/** Characters and pairs that parsers, patterns and encodings treat in a special way. */
const visible = String.raw`
  % %/ %2 %25 %C0%80 %u0 / a/ ./ ../ \ \u \" . a. 1. , a, "a", W/" 127.0.0.1, ; a; ;q= = a= =& & a& " "" ' ${'`'} ? # $ [ [] ] { {"a": }
  ( () ) < <a > - -- _ : 1: :: @ a@ * + | ~ ! ^ A 0 1 -1 1e eyJ`

const units = [
  ...visible.trim().split(/\s+/),
  ...[' ', 'a ', '\t', '\r', '\n', '\0', '\u007f', '\u0085', '\ud800', '\udc00', '\udc00\ud800', '\u0301', 'e\u0301'],
  ...['\u00df', '\u0130', '\ufb03', '\u200b', '\u202e', '\u2028', '\ufeff', '\ufffd', '\uff41', '😀', '👨‍👩‍👧'],
]

/** `enclosed` ends just before the end of the text, where a pattern gives up and tries again from the next character. */
const forms = ['repeated', 'enclosed'] as const

export type HostileText = { unit: string; form: (typeof forms)[number] }

export const hostileTexts: readonly HostileText[] = units.flatMap((unit) => forms.map((form) => ({ unit, form })))

/** A text of at most this length, from a unit that is encoded for its position. */
export function repeatUnit(encoded: string, form: HostileText['form'], length: number): string {
  const repeated = encoded.repeat(Math.max(1, Math.floor((length - 2) / encoded.length) - 1))
  return form === 'repeated' ? repeated : `x${repeated}x${encoded}`
}
