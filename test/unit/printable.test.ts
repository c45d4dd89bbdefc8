import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toPrintable } from '../../src/core/printable.ts'

it('characters that control a terminal, or hide or reorder text, are escaped as in JSON', () => {
  const dangerous = [
    ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => code !== 9),
    ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
    ...[0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
    ...[0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xfff9, 0xfffb, 0xd800, 0xdfff, 0xe0001],
  ]
  for (const code of dangerous) {
    const text = `a${String.fromCodePoint(code)}b`
    expect(toPrintable(text), code.toString(16)).toMatch(/^a(\\u[0-9a-f]{4}){1,2}b$/)
    expect(JSON.parse(toPrintable(JSON.stringify({ text })))).toEqual({ text })
  }
})

it('readable text stays unchanged', () => {
  for (const text of ['Ünïcödé 漢字 עברית العربية\t|', '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️', 'C:\\names "quoted"', 'می‌خواهم'])
    expect(toPrintable(text)).toBe(text)
})

/** These files escape their output, or print only their own text. */
const writers = [
  'src/core/print.ts',
  'src/entitlements-cli/output.ts',
  // Its lines are escaped one by one.
  'src/logging/log.ts',
  // Cannot import print.ts, because they run on any Node; they write only versions and the names of commands.
  'src/cli/assert-installer.cjs',
  'src/cli/newer-node.ts',
  'src/cli/entitlements-service.ts',
]
const isWriting =
  /\bconsole\.(log|error|warn|info|debug|trace|table|dir)\b|\bstd(out|err)\s*\)?\.write\(|\.write\(\s*process\.std/

it('every line that a command prints is escaped', () => {
  const files = globSync('{src,rest,worker}/**/*.{ts,cjs}', {
    exclude: (name) => /node_modules|generated|\/dist$|^src\/(console|tools)\b/.test(name),
  }).filter((file) => !/^src\/(console|tools)\/|node_modules|\/dist\//.test(file))
  expect(files.length).toBeGreaterThan(300)

  const found = files.filter((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(/^\s*(\/?\*|\/\/).*$/gm, '')
    return isWriting.test(code)
  })
  expect(found.filter((file) => !writers.includes(file))).toEqual([])
})
