import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clientFiles, cliFiles, consoleFiles, files } from './imports.ts'
import { functionsOf, linesOf, type NamedLength } from './sizes.ts'

const productFiles = [...files, ...consoleFiles, ...clientFiles, ...cliFiles]
const findLongerThan = (most: number, lengths: NamedLength[]) => lengths.filter(({ lines }) => lines > most)

it('no file of the product has more than 300 lines', () => {
  const lengths = productFiles.map((name) => ({ name, lines: linesOf(name) }))

  expect(lengths.length).toBeGreaterThan(200)
  expect(findLongerThan(300, lengths)).toEqual([])
})

it('every function of the product has fewer than 80 lines', () => {
  const lengths = productFiles.flatMap((file) => functionsOf(file, readFileSync(file, 'utf8')))

  expect(lengths.length).toBeGreaterThan(2000)
  expect(findLongerThan(79, lengths)).toEqual([])
})

it('the measurement finds every function, and counts the lines from its first to its last', () => {
  const text = `
const arrow = () => {
  return class {
    method() {
      return 1
    }
  }
}
export function declared() {}
`

  expect(functionsOf('a.ts', text)).toEqual([
    { name: 'a.ts:2', lines: 7 },
    { name: 'a.ts:4', lines: 3 },
    { name: 'a.ts:9', lines: 1 },
  ])
})
