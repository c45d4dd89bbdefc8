import { type Document, isMap, isScalar, isSeq, type Pair, Scalar, visit, YAMLMap } from 'yaml'
import {
  type Catalog,
  defaultPlanKind,
  type Feature,
  isSame,
  type OtherFields,
  type Plan,
  toWrittenGrant,
} from '../../core/catalog/catalog.ts'
import { compareExactly, type Difference, hasDifferences } from '../../core/catalog/compare.ts'
import { anyFields, type CatalogFile, parseCatalog } from './file.ts'

const header = ` yaml-language-server: $schema=./node_modules/@entitlements-service/cli/entitlements.schema.json
 The catalog: what the product has (features), and what each plan grants.
 "entitlements diff" shows what a change here would do, and "entitlements apply" does it.`

/** Returns the text of a new file, in the order of the catalog. */
export function writeCatalog(catalog: Catalog): string {
  const { document } = parseCatalog('version: 1\nfeatures: {}\nplans: {}\n', 'a new file')
  document.commentBefore = header
  edit(document, catalog, { features: new Map(), plans: new Map() })
  for (const key of ['features', 'plans']) addBlankLineBefore(pairOf(document.contents, key))
  const plans = document.get('plans')
  for (const plan of isMap(plans) ? plans.items.slice(1) : []) addBlankLineBefore(plan)
  return print(document, '')
}

/** Returns the file's text with another catalog. Comments, order and the notation of values stay as they are. */
export function updateCatalog(file: CatalogFile, catalog: Catalog, name: string): string {
  const edited = editText(file, catalog, name, new Set())
  const rest = compareExactly(catalog, parseCatalog(edited, name, anyFields).catalog)
  if (!hasDifferences(rest)) return edited
  // A value from an anchor or merge key cannot be changed where it is used. Write out its object.
  const written = editText(file, catalog, name, new Set(keysOf(rest)))
  return hasDifferences(compareExactly(catalog, parseCatalog(written, name, anyFields).catalog))
    ? writeCatalog(catalog)
    : written
}

function keysOf({ changedFeatures, extraFeatures, changedPlans, extraPlans }: Difference): string[] {
  const changed = [...changedFeatures, ...changedPlans].map(({ after }) => after.key)
  return [...changed, ...extraFeatures.map(({ key }) => key), ...extraPlans.map(({ key }) => key)]
}

/** `rewritten` are the keys of objects to write from scratch, ignoring the existing ones. */
function editText(file: CatalogFile, catalog: Catalog, name: string, rewritten: ReadonlySet<string>): string {
  const { document } = parseCatalog(file.text, name, anyFields)
  edit(document, catalog, file.catalog, rewritten)
  return print(document, file.text)
}

function edit(
  document: Document,
  catalog: Catalog,
  current: Catalog,
  rewritten: ReadonlySet<string> = new Set(),
): void {
  editPart({ document, part: 'features', wanted: catalog.features, current: current.features, rewritten }, editFeature)
  editPart({ document, part: 'plans', wanted: catalog.plans, current: current.plans, rewritten }, editPlan)
}

type Part<Item> = {
  document: Document
  part: string
  wanted: ReadonlyMap<string, Item>
  current: ReadonlyMap<string, Item>
  rewritten: ReadonlySet<string>
}

type Edit<Item> = (document: Document, map: YAMLMap, after: Item, before: Item | undefined) => void

function editPart<Item>({ document, part, wanted, current, rewritten }: Part<Item>, editItem: Edit<Item>): void {
  const map = getOrCreateMap(document, document.contents as YAMLMap, part)
  for (const [key, after] of wanted) {
    const isRewritten = rewritten.has(key)
    if (isRewritten) map.set(key, new YAMLMap(document.schema))
    editItem(document, getOrCreateMap(document, map, key), after, isRewritten ? undefined : current.get(key))
  }
  for (const key of current.keys()) if (!wanted.has(key)) map.delete(key)
}

function editFeature(document: Document, map: YAMLMap, after: Feature, before: Feature | undefined): void {
  const { key: _, others, ...fields } = after
  for (const [name, value] of Object.entries(fields)) {
    const isLeftOut = value === null || (name === 'description' && value === '')
    const old = before?.[name as keyof typeof fields] ?? null
    setValue(document, map, name, isLeftOut ? undefined : value, old)
  }
  editOtherFields(document, map, others, before?.others)
}

function editOtherFields(document: Document, map: YAMLMap, after: OtherFields, before: OtherFields = {}): void {
  for (const name of Object.keys(before)) if (!(name in after)) map.delete(name)
  for (const [name, value] of Object.entries(after)) setValue(document, map, name, value, before[name])
}

function editPlan(document: Document, map: YAMLMap, after: Plan, before: Plan | undefined): void {
  setValue(document, map, 'name', after.name, before?.name)
  setValue(document, map, 'kind', after.kind === defaultPlanKind ? undefined : after.kind, before?.kind)
  setValue(document, map, 'archived', after.archived || undefined, before?.archived)
  editOtherFields(document, map, after.others, before?.others)
  if (after.grants.size === 0 && !map.has('grants')) return
  const grants = getOrCreateMap(document, map, 'grants')
  for (const [feature, grant] of after.grants) {
    const old = before?.grants.get(feature)
    setValue(document, grants, feature, toWrittenGrant(grant), old && toWrittenGrant(old))
  }
  // A flag that is written as `false` is not among the grants, and stays.
  for (const feature of before?.grants.keys() ?? []) if (!after.grants.has(feature)) grants.delete(feature)
}

/** Sets a value that has changed, in its existing node, because the node holds the comments. Undefined removes the field. */
function setValue(document: Document, map: YAMLMap, name: string, value: unknown, old: unknown): void {
  if (value === undefined) {
    // The file may state a default value: keep it as long as it is right.
    if (map.has(name) && !isUsualNotation(map.get(name), old)) map.delete(name)
    return
  }
  if (isSame(value, old) && (map.has(name) || map.has('<<'))) return
  const node = map.get(name, true) as unknown
  if (isScalar(node) && (value === null || typeof value !== 'object')) {
    Object.assign(node, { value, source: undefined, format: undefined, minFractionDigits: undefined })
    return
  }
  const written = document.createNode(value)
  if (isSeq(node) && isSeq(written)) {
    written.flow = node.flow === true
    written.items = written.items.map((item) => node.items.find((each) => isSameScalar(each, item)) ?? item)
  } else if (isSeq(written)) {
    written.flow = written.items.every((item) => isScalar(item)) && name === 'options'
  }
  map.set(name, written)
}

function isUsualNotation(written: unknown, old: unknown): boolean {
  return isSame(written, old) && (written === defaultPlanKind || written === false || written === '')
}

function isSameScalar(a: unknown, b: unknown): boolean {
  return isScalar(a) && isScalar(b) && a.value === b.value
}

/** The map with this name; created in the block style if there is none. */
function getOrCreateMap(document: Document, parent: YAMLMap, name: string): YAMLMap {
  const node = parent.get(name, true) as unknown
  if (isMap(node)) {
    if (node.items.length === 0) node.flow = false
    return node
  }
  const map = new YAMLMap(document.schema)
  parent.set(name, map)
  return map
}

function pairOf(map: unknown, name: string): Pair | undefined {
  return isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
}

function addBlankLineBefore(pair: Pair | undefined): void {
  if (!pair) return
  if (!isScalar(pair.key)) pair.key = new Scalar(pair.key)
  ;(pair.key as Scalar).spaceBefore = true
}

/** Makes the document print empty maps as {}. */
function inlineEmptyMaps(document: Document): void {
  visit(document, {
    Map(_, map) {
      if (map.items.length === 0) map.flow = true
    },
  })
}

/** The file as text, with its original indentation and brackets. */
function print(document: Document, before: string): string {
  inlineEmptyMaps(document)
  const indent = /^( +)\S/m.exec(before)?.[1]?.length ?? 2
  const text = document.toString({
    lineWidth: 0,
    indent: Math.max(indent, 1),
    indentSeq: !/^( *)[\w-]+:[^\S\n]*\n\1- /m.test(before),
    flowCollectionPadding: countOf(/[[{] \S/g, before) > countOf(/[[{][^\s\]}]/g, before),
  })
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}
