import { expect, it } from 'vitest'
import { createBrowserMarks } from '../../src/access/known-devices.ts'
import { createPasswordQueue } from '../../src/access/password-queue.ts'
import { createVault } from '../../src/core/vault.ts'

/** Hashes that end on request, by name. */
function startPasswordWork() {
  const passwords = createPasswordQueue(1)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    run(name: string, sender: { ip: string; person: string | null }) {
      const work = passwords.run(sender, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
      // Work that a test leaves waiting is refused later.
      work.catch(() => {})
      return work
    },
    async end(name: string) {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const addressOf = (index: number) => `203.0.${index >> 8}.${index & 255}`

it('a person who signed in before waits for at most one hash of anonymous clients, however many of them wait', async () => {
  const { run, started, end } = startPasswordWork()
  for (let index = 0; index < 400; index++) void run(`s${index}`, { ip: addressOf(index), person: null })

  void run('ada', { ip: '198.51.100.1', person: 'ada' })
  await end('s0')
  if (started[1] !== 'ada') await end('s1')

  expect(started).toContain('ada')
})

it('an anonymous client is refused while 300 other networks wait, but not while 40 networks wait with 400 passwords', async () => {
  const everywhere = startPasswordWork()
  const few = startPasswordWork()
  for (let index = 0; index < 302; index++) void everywhere.run(`s${index}`, { ip: addressOf(index), person: null })
  for (let index = 0; index < 400; index++) void few.run(`s${index}`, { ip: addressOf(index % 40), person: null })

  await expect(everywhere.run('late', { ip: '198.51.100.1', person: null })).rejects.toMatchObject({ status: 503 })
  void few.run('late', { ip: '198.51.100.1', person: null })

  for (let turn = 0; turn < 45; turn++) await few.end(few.started.at(-1) as string)
  expect(few.started).toContain('late')
})

it('a network counts as one anonymous client, however many addresses it uses', async () => {
  const { run, started, end } = startPasswordWork()
  for (let index = 0; index < 20; index++)
    void run(`a${index}`, { ip: `2001:db8::${index.toString(16)}`, person: null })
  void run('b', { ip: '2001:db8:1::1', person: null })

  for (const name of ['a0', 'a1', 'a2']) await end(name)

  expect(started).toContain('b')
})

it('the cookie of a known browser is valid for one person and one master key', () => {
  const [marks, elsewhere] = [1, 2].map((byte) => createBrowserMarks(createVault(new Uint8Array(32).fill(byte))))

  const mark = marks?.of('ada') as string

  expect(marks?.is(mark, 'ada')).toBe(true)
  for (const other of [null, '', 'x', `${mark}A`]) expect(marks?.is(other, 'ada')).toBe(false)
  expect(marks?.is(mark, 'grace')).toBe(false)
  expect(elsewhere?.is(mark, 'ada')).toBe(false)
})
