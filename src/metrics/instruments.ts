/* Counts are plain numbers in memory. They are converted to text only on request: see registry.ts. */

/** How the numbers of several processes are combined. */
export type Aggregator = 'sum' | 'max' | 'first'

type Sample = { labels: Record<string, string>; value: number; metricName?: string }

/** A metric in the format that prom-client needs to render it, and to add it to the metrics of other processes. */
export type MetricJson = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  aggregator: Aggregator
  values: Sample[]
}

export type Instrument = { readonly name: string; toJson(): MetricJson | Promise<MetricJson> }

type Definition<Label extends string> = {
  /** Without the prefix `entitlements_`. */
  name: string
  help: string
  labels?: readonly Label[]
  /** Values of the labels that are shown even before they occur, so that the first occurrence is an increase. */
  shown?: readonly (readonly string[])[]
}

const prefix = 'entitlements_'

function toLabels(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

/** The cell for the values of the labels so far, and the branches for values of the next label. */
type Branch<Cell> = { cell: Cell | null; next: Map<string, Branch<Cell>> }

/** A cell for each combination of label values. A map with joined keys would cost more than the counting itself. */
class Cells<Cell extends object> {
  readonly #root: Branch<Cell> = { cell: null, next: new Map() }
  readonly #all: { values: readonly string[]; cell: Cell }[] = []
  readonly #create: () => Cell

  constructor(create: () => Cell, shown: readonly (readonly string[])[]) {
    this.#create = create
    for (const values of shown) this.get(values)
  }

  get(values: readonly string[]): Cell {
    let branch = this.#root
    for (const value of values) {
      let next = branch.next.get(value)
      if (next === undefined) {
        next = { cell: null, next: new Map() }
        branch.next.set(value, next)
      }
      branch = next
    }
    if (branch.cell !== null) return branch.cell
    branch.cell = this.#create()
    this.#all.push({ values, cell: branch.cell })
    return branch.cell
  }

  all(): readonly { values: readonly string[]; cell: Cell }[] {
    return this.#all
  }
}

/** Counts events; the value only grows. */
export class Counter implements Instrument {
  readonly name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #cells: Cells<{ count: number }>

  constructor({ name, help, labels = [], shown = labels.length === 0 ? [[]] : [] }: Definition<string>) {
    this.name = prefix + name
    this.#help = help
    this.#labels = labels
    this.#cells = new Cells(() => ({ count: 0 }), shown)
  }

  add(count: number, ...values: string[]): void {
    this.#cells.get(values).count += count
  }

  toJson(): MetricJson {
    const values = this.#cells.all().map(({ values, cell }) => ({
      labels: toLabels(this.#labels, values),
      value: cell.count,
    }))
    return { name: this.name, help: this.#help, type: 'counter', aggregator: 'sum', values }
  }
}

/** Counts values by their size. The last of `counts` is for values above all bounds. */
export class Histogram implements Instrument {
  readonly name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #cells: Cells<{ counts: number[]; sum: number }>

  constructor({
    name,
    help,
    labels = [],
    shown = labels.length === 0 ? [[]] : [],
    bounds,
  }: Definition<string> & { bounds: readonly number[] }) {
    this.name = prefix + name
    this.#help = help
    this.#labels = labels
    this.#bounds = bounds
    this.#cells = new Cells(() => ({ counts: new Array(bounds.length + 1).fill(0), sum: 0 }), shown)
  }

  observe(value: number, ...values: string[]): void {
    const cell = this.#cells.get(values)
    const bounds = this.#bounds
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index += 1
    cell.counts[index] = (cell.counts[index] as number) + 1
    cell.sum += value
  }

  toJson(): MetricJson {
    const values = this.#cells
      .all()
      .flatMap(({ values, cell }) => this.#toSamples(toLabels(this.#labels, values), cell))
    return { name: this.name, help: this.#help, type: 'histogram', aggregator: 'sum', values }
  }

  #toSamples(labels: Record<string, string>, { counts, sum }: { counts: number[]; sum: number }): Sample[] {
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      const le = index < this.#bounds.length ? String(this.#bounds[index]) : '+Inf'
      return { labels: { ...labels, le }, value: count, metricName: `${this.name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: count, metricName: `${this.name}_count` },
    ]
  }
}

type GaugeValue = { value: number; labels?: Record<string, string> }
type ReadValues = () => readonly GaugeValue[] | Promise<readonly GaugeValue[]>

/** A value that is read on request. A gauge is not shown if no function provides values. */
export class Gauge implements Instrument {
  readonly name: string
  readonly #help: string
  readonly #aggregator: Aggregator
  readonly #reads: ReadValues[] = []

  constructor({ name, help, aggregator = 'sum' }: { name: string; help: string; aggregator?: Aggregator }) {
    this.name = prefix + name
    this.#help = help
    this.#aggregator = aggregator
  }

  get isRead(): boolean {
    return this.#reads.length > 0
  }

  /** Adds a function that provides values. */
  addSource(read: ReadValues): void {
    this.#reads.push(read)
  }

  async toJson(): Promise<MetricJson> {
    const gaugeValues = (await Promise.all(this.#reads.map((read) => read()))).flat()
    const values = gaugeValues.map(({ value, labels = {} }) => ({ labels, value }))
    return { name: this.name, help: this.#help, type: 'gauge', aggregator: this.#aggregator, values }
  }
}
