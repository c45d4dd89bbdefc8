import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { messagesIn, messagesOfServer } from './messages.ts'

const page = readFileSync('docs/operations/logs.md', 'utf8')
const described = Array.from(
  page.matchAll(/^\| `(.+?)` \| (?:debug|info|warn|error|fatal) \| .+ \|$/gm),
  ([, text]) => text,
)

describe('docs/operations/logs.md', () => {
  it('explains each message of the log exactly once', () => {
    const messages = [...messagesOfServer()]

    expect(messages.length).toBeGreaterThan(40)
    expect(described.toSorted()).toEqual(messages.toSorted())
  })
})

describe('a message of the log is found', () => {
  it.each([
    ["logger.warn({ err }, 'no')", ['no']],
    ["logger?.error('no')", ['no']],
    [`this.#logger.info(\`\${what} works\`)`, ['… works']],
    ["this.#options.logger.error({ err }, 'no')", ['no']],
    ["warn('LIMIT', 'no')", ['no']],
    ["listen(channel, { lostMessage: 'no' })", ['no']],
    ["print('no'); other.info('no')", []],
  ])('in %s', (source, messages) => {
    expect(messagesIn('one.ts', source)).toEqual(messages)
  })
})
