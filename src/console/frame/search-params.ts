/** Reads one search parameter of the page's address; undefined if it is absent or invalid. */
type Reader<Value> = (text: string | undefined) => Value | undefined

export function text(): Reader<string> {
  return (value) => (value === '' ? undefined : value)
}

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((each) => each === value)
}

/** Present or not: `?create=1`. */
export function flag(): Reader<true> {
  return (value) => (value === undefined ? undefined : true)
}

type Readers = Record<string, Reader<unknown>>
type Search<Spec extends Readers> = { [Name in keyof Spec]?: ReturnType<Spec[Name]> }

/** The `validateSearch` of a route: keeps the page's parameters with their types, and nothing else. */
export function searchParams<const Spec extends Readers>(
  spec: Spec,
): (search: Record<string, unknown>) => Search<Spec> {
  return (search) => {
    const found: Record<string, unknown> = {}
    for (const [name, read] of Object.entries(spec)) {
      const given = Object.hasOwn(search, name) ? search[name] : undefined
      const value = read(given === undefined || given === false ? undefined : given === true ? '1' : String(given))
      if (value !== undefined) found[name] = value
    }
    return found as Search<Spec>
  }
}

/** Reads plain text, so that "?q=007" stays these three characters: the router would read JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== false) params.set(name, value === true ? '1' : String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
