import { describe, expect, it } from 'vitest'
import { findJsonProblem } from '../../../src/console/components/form/json-problem.ts'
import { parseValueText, toValueText, type ValueShape } from '../../../src/console/components/form/value-text.ts'
import type { Value } from '../../../src/console/components/text/value.ts'
import { fc } from '../../support/random.ts'

const flag: ValueShape = { kind: 'FLAG', valueType: null, options: null }
const limit: ValueShape = { kind: 'LIMIT', valueType: null, options: null }
const config = (valueType: ValueShape['valueType'], options: string[] | null = null): ValueShape => ({
  kind: 'CONFIG',
  valueType,
  options,
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('text entered as a value', () => {
  const cases: [ValueShape, Value, string][] = [
    [flag, { kind: 'FLAG', allowed: true }, 'on'],
    [flag, { kind: 'FLAG', allowed: false }, 'off'],
    [limit, { kind: 'LIMIT', limit: 0 }, '0'],
    [limit, { kind: 'LIMIT', limit: 9007199254740991 }, '9007199254740991'],
    [limit, { kind: 'LIMIT', limit: null }, 'unlimited'],
    [config('STRING'), { kind: 'CONFIG', value: '12' }, '12'],
    [config('NUMBER'), { kind: 'CONFIG', value: 1.5 }, '1.5'],
    [config('BOOLEAN'), { kind: 'CONFIG', value: false }, 'false'],
    [config('ENUM', ['red']), { kind: 'CONFIG', value: 'red' }, 'red'],
    [config('JSON'), { kind: 'CONFIG', value: 'a' }, '"a"'],
    [config('JSON'), { kind: 'CONFIG', value: [1] }, '[\n  1\n]'],
  ]

  it.each(cases)('is parsed to the value that is printed as the same text: %o, %o', (shape, value, text) => {
    expect(toValueText(shape, value)).toBe(text)
    expect(parseValueText(shape, text)).toEqual({ value })
  })

  it('may contain a limit as the console shows it, such as 12,500 or ∞', () => {
    expect(parseValueText(limit, ' 12,500 ')).toEqual({ value: { kind: 'LIMIT', limit: 12500 } })
    expect(parseValueText(limit, '∞')).toEqual({ value: { kind: 'LIMIT', limit: null } })
  })

  it.each([
    [limit, ''],
    [limit, '-1'],
    [limit, '1.5'],
    [limit, '1,2'],
    [limit, '9007199254740992'],
    [config('NUMBER'), ' '],
    [config('NUMBER'), 'NaN'],
    [config('BOOLEAN'), 'yes'],
    [config('ENUM', ['red']), 'blue'],
    [config('JSON'), ''],
    [config('JSON'), 'null'],
    [config('JSON'), '{'],
  ])('is refused with a reason: %o, %s', (shape, text) => {
    expect(parseValueText(shape, text)).toEqual({ problem: expect.any(String) })
  })

  it.each([
    ['{"a": ', 'line 1, column 7: expected a value.'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected a comma or }.'],
    ['{a: 1}', 'line 1, column 2: expected a key in double quotes.'],
    ['{"a" 1}', 'line 1, column 6: expected a colon.'],
    ['[1, 2,]', 'line 1, column 7: expected a value.'],
    ['"a', 'line 1, column 3: expected a closing quote.'],
    ['"\\x"', 'line 1, column 2: expected an escape such as \\n or \\u00e9.'],
    ['1 2', 'line 1, column 3: expected the end of the text.'],
    ['01', 'line 1, column 2: expected the end of the text.'],
  ])('is refused with the position of its first fault if it is not JSON: %s', (text, where) => {
    expect(parseValueText(config('JSON'), text)).toEqual({ problem: `Not JSON: ${where}` })
  })

  it('is refused as JSON if and only if the browser refuses it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, at, inserted) => {
        const text = json.slice(0, at % (json.length + 1)) + inserted + json.slice((at % (json.length + 1)) + 1)
        expect(findJsonProblem(text) === null).toBe(isJson(text))
      }),
    )
  })

  it('may have at most 64 KiB of JSON, counted as the server counts it', () => {
    const ofBytes = (count: number) => ` ${JSON.stringify('ä'.repeat((count - 2) / 2))}`
    expect(parseValueText(config('JSON'), ofBytes(65_536))).toHaveProperty('value')
    const problem = 'Use at most 65,536 bytes of JSON; this has 65,538.'
    expect(parseValueText(config('JSON'), ofBytes(65_538))).toEqual({ problem })
  })
})
