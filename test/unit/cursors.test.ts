import { expect, it } from 'vitest'
import { type Cursor, readCursor, writeCursor } from '../../src/changes/position.ts'

it('a cursor can be read however many transactions were running, and skips none of them', () => {
  const running = Array.from({ length: 3_000 }, (_, index) => 1_000_000 + index * 1_000)
  const cursor: Cursor = { epoch: '0123456789abcdef', atMs: 1, position: { next: 5_000_000, running, after: '' } }

  const read = readCursor(writeCursor(cursor))

  const keptTransactions = read?.position.running ?? []
  expect(keptTransactions.length).toBeGreaterThan(500)
  expect(read?.position).toEqual({
    next: running[keptTransactions.length],
    running: running.slice(0, keptTransactions.length),
    after: '',
  })
})
