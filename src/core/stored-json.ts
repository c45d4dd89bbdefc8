import { randomBytes } from 'node:crypto'

/** The texts in the answer that is being written, and the placeholder that represents them until the answer is complete. */
let writing: { mark: string; texts: string[] } | null = null

/** A JSON value as its stored text, which is copied to an answer without being parsed. */
export class StoredJson {
  readonly text: string
  #bytes: number | undefined

  constructor(text: string) {
    this.text = text
  }

  get bytes(): number {
    this.#bytes ??= Buffer.byteLength(this.text)
    return this.#bytes
  }

  toJSON(): unknown {
    if (!writing) return JSON.parse(this.text)
    writing.mark ||= randomBytes(16).toString('hex')
    return `${writing.mark}${writing.texts.push(this.text) - 1}.`
  }
}

/** Like JSON.stringify, but writes each StoredJson as its text. */
export function stringifyAnswer(answer: unknown): string {
  return stringifyAnswerParts(answer).join('')
}

/**
 * The text of `stringifyAnswer` in parts. JSON.rawJSON does not accept objects and lists, so each StoredJson is first written
 * as a placeholder. Placeholders are random, so that no other value of the answer is mistaken for one.
 */
export function stringifyAnswerParts(answer: unknown): string[] {
  const written = { mark: '', texts: [] as string[] }
  writing = written
  try {
    const marked = JSON.stringify(answer)
    if (written.texts.length === 0) return [marked]
    const parts = marked.split(new RegExp(`"${written.mark}(\\d+)\\."`))
    return parts.map((part, index) => (index % 2 === 0 ? part : (written.texts[Number(part)] as string)))
  } finally {
    writing = null
  }
}
