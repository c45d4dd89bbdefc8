/** The place where a text stops being JSON, and what was expected there. Lines and columns count from 1. */
export type JsonProblem = { at: number; line: number; column: number; expected: string }

const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const stringCharacter = /[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/uy

/**
 * Finds where a text stops being JSON, because browsers report the position in different formats or not at all. Null if the
 * text is JSON, or nested too deeply to scan.
 */
export function findJsonProblem(text: string): JsonProblem | null {
  try {
    new Scanner(text).readAll()
    return null
  } catch (stop) {
    if (!(stop instanceof ExpectedToken)) return null
    const lines = text.slice(0, stop.at).split('\n')
    return { at: stop.at, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, expected: stop.message }
  }
}

class ExpectedToken extends Error {
  readonly at: number

  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
  }
}

class Scanner {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  readAll(): void {
    this.#value()
    if (this.#peek() !== undefined) this.#fail('the end of the text')
  }

  #value(): void {
    const next = this.#peek()
    if (next === '{') this.#list('}', () => this.#member())
    else if (next === '[') this.#list(']', () => this.#value())
    else if (next === '"') this.#string()
    else if (!this.#takes(literal)) this.#fail('a value')
  }

  #member(): void {
    if (this.#peek() !== '"') this.#fail('a key in double quotes')
    this.#string()
    if (this.#peek() !== ':') this.#fail('a colon')
    this.#at++
    this.#value()
  }

  #list(end: string, item: () => void): void {
    this.#at++
    if (this.#peek() === end) {
      this.#at++
      return
    }
    for (;;) {
      item()
      const next = this.#peek()
      if (next !== ',' && next !== end) this.#fail(`a comma or ${end}`)
      this.#at++
      if (next === end) return
    }
  }

  #string(): void {
    this.#at++
    while (this.#takes(stringCharacter));
    const next = this.#text[this.#at]
    if (next === '\\') this.#fail('an escape such as \\n or \\u00e9')
    if (next !== '"') this.#fail('a closing quote')
    this.#at++
  }

  #peek(): string | undefined {
    while (/[ \t\n\r]/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text[this.#at]
  }

  #takes(token: RegExp): boolean {
    token.lastIndex = this.#at
    if (!token.test(this.#text)) return false
    this.#at = token.lastIndex
    return true
  }

  #fail(expected: string): never {
    throw new ExpectedToken(this.#at, expected)
  }
}
