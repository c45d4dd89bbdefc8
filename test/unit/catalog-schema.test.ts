import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseCatalog } from '../../src/entitlements-cli/catalog/file.ts'

const schema = JSON.parse(readFileSync('src/entitlements-cli/entitlements.schema.json', 'utf8'))
const validate = new Ajv({ allowUnionTypes: true }).compile(schema)

const accepts = (text: string) => {
  try {
    parseCatalog(text, 'file')
    return true
  } catch {
    return false
  }
}

const example = readFileSync('src/entitlements-cli/examples/entitlements.yaml', 'utf8')

it.each([
  ['the example', example, true],
  ['a file with only a version', 'version: 1', true],
  ['a file with empty sections', 'version: 1\nfeatures:\nplans:\n', true],
  ['another version', 'version: 2', false],
  ['no version', 'features: {}', false],
  ['an unknown section', 'version: 1\ntiers: {}', false],
  ['a list of features', 'version: 1\nfeatures: [a]', false],
  ['a feature without a name', 'version: 1\nfeatures: { a: { kind: flag } }', false],
  ['a feature without a kind', 'version: 1\nfeatures: { a: { name: A } }', false],
  ['an unknown kind', 'version: 1\nfeatures: { a: { name: A, kind: text } }', false],
  ['a key in capitals', 'version: 1\nfeatures: { A: { name: A, kind: flag } }', false],
  ['an empty name', 'version: 1\nfeatures: { a: { name: "", kind: flag } }', false],
  ['a number as the name', 'version: 1\nfeatures: { a: { name: 1, kind: flag } }', false],
  ['an unknown field', 'version: 1\nfeatures: { a: { name: A, kind: flag, unit: x } }', false],
  ['a config without a type', 'version: 1\nfeatures: { a: { name: A, kind: config } }', false],
  ['a flag with a type', 'version: 1\nfeatures: { a: { name: A, kind: flag, value_type: string } }', false],
  ['an enum without options', 'version: 1\nfeatures: { a: { name: A, kind: config, value_type: enum } }', false],
  [
    'an enum with options',
    'version: 1\nfeatures: { a: { name: A, kind: config, value_type: enum, options: [b] } }',
    true,
  ],
  [
    'an option given twice',
    'version: 1\nfeatures: { a: { name: A, kind: config, value_type: enum, options: [b, b] } }',
    false,
  ],
  [
    'an empty list of options',
    'version: 1\nfeatures: { a: { name: A, kind: config, value_type: enum, options: [] } }',
    false,
  ],
  [
    'a config of type string with options',
    'version: 1\nfeatures: { a: { name: A, kind: config, value_type: string, options: [b] } }',
    false,
  ],
  ['a plan', 'version: 1\nplans: { a: { name: A, kind: custom, archived: true, grants: } }', true],
  ['a plan without a name', 'version: 1\nplans: { a: { kind: custom } }', false],
  ['a plan with a wrong kind', 'version: 1\nplans: { a: { name: A, kind: Custom } }', false],
  ['a plan whose `archived` is a date', 'version: 1\nplans: { a: { name: A, archived: 2026-01-01 } }', false],
])('the JSON Schema and the command line both accept or both refuse %s', (_, text, isRight) => {
  expect(accepts(text)).toBe(isRight)
  expect(validate(parse(text, { merge: true }))).toBe(isRight)
})
