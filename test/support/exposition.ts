/** A sample of Prometheus' text format. */
type Sample = { name: string; labels: Record<string, string>; value: number }

/** A metric with its type and its samples. */
export type Family = { name: string; type: string; samples: Sample[] }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const sampleLine = new RegExp(`^(${name})(?:\\{((?:${label})(?:,${label})*)\\})? (\\S+)$`)
const suffixes: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] }

/** Reads the text format by its published rules, and throws at the first line that breaks one. */
export function readExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  for (const line of text.split('\n').filter(Boolean)) readLine(line, families)
  for (const family of families.values()) assertConsistent(family)
  return families
}

function readLine(line: string, families: Map<string, Family>): void {
  const [, kind, of = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`).exec(line) ?? []
  if (kind === 'HELP') {
    if (families.has(of)) throw new Error(`${of} is described twice.`)
    families.set(of, { name: of, type: '', samples: [] })
    return
  }
  const current = [...families.values()].at(-1)
  if (kind === 'TYPE') {
    if (current?.name !== of || current.type) throw new Error(`The type of ${of} does not follow its description.`)
    current.type = rest
    return
  }
  const [, sampled = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
  const names = current && (suffixes[current.type] ?? ['']).map((suffix) => current.name + suffix)
  // Summaries (Node's own metrics) also have samples under the metric's own name.
  if (!current || !(names?.includes(sampled) || (current.type === 'summary' && sampled.startsWith(current.name))))
    throw new Error(`This line belongs to no metric: ${line}`)
  if (Number.isNaN(Number(value)) && !/^(nan|[+-]inf)$/i.test(value)) throw new Error(`This is not a number: ${line}`)
  const pairs = Array.from(labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, key, text]) => [key, text])
  current.samples.push({ name: sampled, labels: Object.fromEntries(pairs), value: Number(value) })
}

function assertConsistent({ name, type, samples }: Family): void {
  if (name.endsWith('_total') !== (type === 'counter')) throw new Error(`${name} is not named like a ${type}.`)
  const seen = new Set(samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()])))
  if (seen.size !== samples.length) throw new Error(`${name} has a series twice.`)
  if (type !== 'histogram') return
  const ofSeries = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, series] of ofSeries) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
    const count = series.find((sample) => sample.name === `${name}_count`)?.value
    const isRising = buckets.every(({ value }, index) => index === 0 || value >= (buckets[index - 1]?.value ?? 0))
    const last = buckets.at(-1)
    if (!isRising || last?.labels.le !== '+Inf' || last.value !== count)
      throw new Error(`${name}${labels} is not sound.`)
  }
}
