import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evalOutcomes, Metrics } from '../../src/metrics/metrics.ts'
import { metricsReader } from '../../src/metrics/registry.ts'
import { namesWithLabels } from './names.ts'
import { alerts, alertTests, dashboardQueries } from './queries.ts'

const page = readFileSync('docs/operations/alerts.md', 'utf8')
const instruments = Object.values(new Metrics()).filter((each) => each !== null && typeof each === 'object')
const described = (await Promise.all(instruments.map((each) => each.toJson()))) as { name: string; type: string }[]
const ofNode = (await metricsReader(new Metrics())()).map(({ name }) => name)

/** The names that a query may use: the samples of every metric, and those that Prometheus itself adds. */
const known = new Set([
  ...described.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  ),
  ...ofNode.filter((name) => !name.startsWith('entitlements_')),
  'up',
])

const namesIn = (expr: string) => expr.match(/\b(entitlements_|process_|nodejs_)\w+|\bup\b/g) ?? []

describe('the queries', () => {
  it.each([
    ...dashboardQueries.map(({ title, expr }) => [`the panel ${title}`, expr]),
    ...alerts.map(({ alert, expr }) => [`the alert ${alert}`, expr]),
  ])('of %s name only metrics that exist', (_of, expr) => {
    const names = namesIn(expr)

    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  it('name outcomes that exist', () => {
    const outcomes = [...dashboardQueries, ...alerts].flatMap(({ expr }) =>
      Array.from(expr.matchAll(/evals_total\{[^}]*outcome="(\w+)"/g), ([, outcome]) => outcome),
    )

    expect(outcomes.length).toBeGreaterThan(2)
    expect(outcomes.filter((outcome) => !evalOutcomes.some((each) => each === outcome))).toEqual([])
  })

  it('of the dashboard show every metric', () => {
    const shown = dashboardQueries.flatMap(({ expr }) => namesIn(expr))

    expect(described.map(({ name }) => name).filter((name) => !shown.some((each) => each.startsWith(name)))).toEqual([])
  })
})

describe('the alerts', () => {
  it('each have a section that says what to do, and two tests', () => {
    const names = alerts.map(({ alert }) => alert)

    expect(Array.from(page.matchAll(/^### (\w+)$/gm), ([, name]) => name)).toEqual(names)
    expect(alertTests).toEqual(names.flatMap((name) => [`${name} fires`, `${name} is quiet`]))
  })
})

it('docs/operations/alerts.md lists every metric with its labels and type', () => {
  const rows = Array.from(page.matchAll(/^\| `((\w+)(?:\{.*?\})?)` \| (counter|gauge|histogram) \|/gm))

  expect(rows.map(([, named]) => named).toSorted()).toEqual(namesWithLabels)
  expect(new Map(rows.map(([, , name, type]) => [`entitlements_${name}`, type]))).toEqual(
    new Map(described.map(({ name, type }) => [name, type])),
  )
})
