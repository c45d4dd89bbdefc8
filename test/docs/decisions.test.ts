import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = 'docs/decisions'
const files = readdirSync(folder).filter((name) => name !== 'README.md')
const index = readFileSync(`${folder}/README.md`, 'utf8')
const rows = Array.from(
  index.matchAll(/^\| (\d+) \| \[(.+?)\]\((\S+?)\) \| (.+?) \| (\S+) \| `(\S+)` \|$/gm),
  ([, number, title, file, status = '', date, about = '']) => ({ number, title, file, status, date, about }),
)

it('the index of decisions lists every page by its number and title', () => {
  const pages = files.map((file) => {
    const [title = ''] = readFileSync(`${folder}/${file}`, 'utf8').split('\n')
    return { number: String(Number(file.slice(0, 4))), title: title.replace('# ', ''), file }
  })

  expect(rows.map(({ number, title, file }) => ({ number, title, file }))).toEqual(pages)
})

it.each(rows)('decision $number has a status, a date and the code that it concerns', ({ status, date, about }) => {
  expect(status.replaceAll(/\[(\d+)\]\(\S+?\)/g, '$1')).toMatch(
    /^(in force(, changed by \d+(, \d+)*)?|superseded by \d+)$/,
  )
  expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
  expect(existsSync(about)).toBe(true)
})

it('every decision has its three parts', () => {
  const parts = ['## Background', '## Decision', '## Consequences']
  const without = files.filter((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    return parts.some((part) => !text.includes(`\n${part}`))
  })

  expect(without).toEqual([])
})
