import { readFileSync } from 'node:fs'
import type { Document } from 'yaml'
import {
  type Catalog,
  defaultPlanKind,
  type Feature,
  featureKinds,
  type Plan,
  valueTypes,
} from '../../core/catalog/catalog.ts'
import type { Connection } from '../connection.ts'
import { Problem } from '../problem.ts'
import { type ParsedYaml, parseYaml } from './faults.ts'
import { type FieldNames, loadFieldNames } from './field-names.ts'
import { readGrant, toPlainObject } from './written-value.ts'

/** `entitlements.yaml`, as text and parsed. */
export type CatalogFile = { text: string; document: Document; catalog: Catalog }

/**
 * Reads the file. A Problem names every wrong line. Fields that this version does not know must be fields of the service;
 * without a service, all fields are read.
 */
export async function readCatalogFile(path: string, connection: Connection | null): Promise<CatalogFile> {
  const text = readFileSync(path, 'utf8')
  try {
    return parseCatalog(text, path)
  } catch (error) {
    if (!(error instanceof Problem) || !error.message.includes(unknownField)) throw error
    return parseCatalog(text, path, connection ? await loadFieldNames(connection) : anyFields)
  }
}

const unknownField = 'is not known here.'
const noFields: FieldNames = { features: [], plans: [] }
export const anyFields = 'any'

/** The limit for the parser's expansion of anchors. Each of a thousand plans may use the same anchor. */
const maxAliasCount = 10_000

/** `more` are the fields that a service has besides those that this version knows. */
export function parseCatalog(text: string, name: string, more: FieldNames | typeof anyFields = noFields): CatalogFile {
  const yaml = parseYaml(text, name)
  const root = new ObjectReader(yaml, yaml.document.toJS({ mapAsMap: true, maxAliasCount }), [])
  const fields = root.object(['version', 'features', 'plans'])
  if (fields.get('version') !== 1) root.refuse(['version'], 'must be 1.')
  const ofFeatures = more === anyFields ? null : more.features
  const features = readItems(root, fields.get('features'), 'features', (reader, key) =>
    readFeature(reader, key, ofFeatures),
  )
  yaml.assertNoFaults()
  const ofPlans = more === anyFields ? null : more.plans
  const plans = readItems(root, fields.get('plans'), 'plans', (reader, key) =>
    readPlan(reader, key, { features, more: ofPlans }),
  )
  yaml.assertNoFaults()
  return { text, document: yaml.document, catalog: { features, plans } }
}

const keyPattern = /^[a-z0-9_-]{1,64}$/
const keyRule = 'a key: 1 to 64 lower-case letters, digits, underscores or dashes.'

/** One object in the file, and its path. */
class ObjectReader {
  readonly #yaml: ParsedYaml
  readonly #value: unknown
  readonly path: readonly string[]

  constructor(yaml: ParsedYaml, value: unknown, path: readonly string[]) {
    this.#yaml = yaml
    this.#value = value
    this.path = path
  }

  refuse(below: readonly string[], message: string): void {
    this.#yaml.refuse([...this.path, ...below], message)
  }

  at(name: string, value: unknown): ObjectReader {
    return new ObjectReader(this.#yaml, value, [...this.path, name])
  }

  /** The object's fields. Fields that are not in `allowed` are faults; null allows all. Empty if the value is not an object. */
  object(allowed: readonly string[] | null): ReadonlyMap<string, unknown> {
    if (!(this.#value instanceof Map)) {
      this.refuse([], 'must be an object: names with their values.')
      return new Map()
    }
    for (const name of allowed ? this.#value.keys() : []) {
      if (!allowed?.includes(name)) this.refuse([name], `${unknownField} Allowed: ${allowed?.join(', ')}.`)
    }
    return this.#value
  }

  text(fields: ReadonlyMap<string, unknown>, name: string, min: number, max: number): string {
    const value = fields.get(name) ?? (min === 0 ? '' : undefined)
    if (typeof value === 'string' && [...value].length >= min && [...value].length <= max) return value
    const hint = typeof value === 'number' || typeof value === 'boolean' ? ` Write it in quotes: "${value}".` : ''
    const fault = `must be a string of ${min} to ${max} characters.${hint}`
    this.refuse([name], value === undefined ? 'is required.' : fault)
    return ''
  }

  oneOf<const Name extends string>(
    fields: ReadonlyMap<string, unknown>,
    name: string,
    names: readonly Name[],
  ): Name | null {
    const found = names.find((each) => each === fields.get(name))
    if (found === undefined) this.refuse([name], `must be one of ${names.join(', ')}.`)
    return found ?? null
  }
}

/** Reads the objects of a part of the file (`features` or `plans`), by key. A missing or empty part has none. */
function readItems<Item>(
  root: ObjectReader,
  value: unknown,
  part: string,
  read: (reader: ObjectReader, key: string) => Item,
): ReadonlyMap<string, Item> {
  const reader = root.at(part, value ?? new Map())
  const items = new Map<string, Item>()
  for (const [key, item] of reader.object(null)) {
    if (!keyPattern.test(key)) reader.refuse([key], `must be ${keyRule}`)
    else items.set(key, read(reader.at(key, item), key))
  }
  return items
}

const featureFields = ['name', 'description', 'kind', 'value_type', 'options']
const planFields = ['name', 'kind', 'archived', 'grants']

/** Reads all fields of an object: the known ones and those in `more`, or any if `more` is null. */
function readFields(reader: ObjectReader, known: readonly string[], more: readonly string[] | null) {
  const fields = reader.object(more && [...new Set([...known, ...more])])
  const others = [...fields].filter(([name, value]) => !known.includes(name) && value !== null && value !== '')
  return { fields, others: Object.fromEntries(others.map(([name, value]) => [name, toPlainObject(value)])) }
}

function readFeature(reader: ObjectReader, key: string, more: readonly string[] | null): Feature {
  const { fields, others } = readFields(reader, featureFields, more)
  const kind = reader.oneOf(fields, 'kind', featureKinds) ?? 'flag'
  const isConfig = kind === 'config'
  if (!isConfig && fields.has('value_type')) reader.refuse(['value_type'], 'is only for the kind config.')
  const valueType = isConfig ? reader.oneOf(fields, 'value_type', valueTypes) : null
  const isEnum = valueType === 'enum'
  if (!isEnum && fields.has('options')) reader.refuse(['options'], 'is only for the kind config with value_type enum.')
  return {
    key,
    name: reader.text(fields, 'name', 1, 255),
    description: reader.text(fields, 'description', 0, 2000),
    kind,
    value_type: valueType,
    options: isEnum ? readOptions(reader, fields.get('options')) : null,
    others,
  }
}

function readOptions(reader: ObjectReader, value: unknown): readonly string[] {
  const isOption = (option: unknown) => typeof option === 'string' && option !== '' && [...option].length <= 255
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= 100
  if (isList && value.every(isOption) && new Set(value).size === value.length) return value
  reader.refuse(
    ['options'],
    'must be 1 to 100 unique strings of 1 to 255 characters. Write numbers, true and false in quotes.',
  )
  return []
}

type PlanContext = { features: ReadonlyMap<string, Feature>; more: readonly string[] | null }

function readPlan(reader: ObjectReader, key: string, { features, more }: PlanContext): Plan {
  const { fields, others } = readFields(reader, planFields, more)
  const kind = fields.get('kind') ?? defaultPlanKind
  if (typeof kind !== 'string' || !keyPattern.test(kind)) reader.refuse(['kind'], `must be ${keyRule}`)
  const archived = fields.get('archived') ?? false
  if (typeof archived !== 'boolean') reader.refuse(['archived'], 'must be true or false.')
  return {
    key,
    name: reader.text(fields, 'name', 1, 255),
    kind: String(kind),
    archived: archived === true,
    others,
    grants: readGrants(reader.at('grants', fields.get('grants') ?? new Map()), features),
  }
}

function readGrants(reader: ObjectReader, features: ReadonlyMap<string, Feature>): Plan['grants'] {
  const grants: [string, NonNullable<ReturnType<typeof readGrant>['grant']>][] = []
  for (const [key, written] of reader.object(null)) {
    const feature = features.get(key)
    if (!feature) {
      reader.refuse([key], 'is not a feature of this file. Add it under features.')
      continue
    }
    const { grant, fault } = readGrant(feature, toPlainObject(written))
    if (fault !== null) reader.refuse([key], fault)
    if (grant !== null) grants.push([key, grant])
  }
  return new Map(grants)
}
