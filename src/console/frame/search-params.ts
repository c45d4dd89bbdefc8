/** Reads one search parameter of the page's address; undefined if it is absent or invalid. */
type Reader<Value> = (text: string | undefined) => Value | undefined

export function text(): Reader<string> {
  return (value) => (value === '' ? undefined : value)
}

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((each) => each === value)
}

/** A parameter that is either present or absent, such as `?create=1`. */
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

/** Reads values as plain text, so that `q` of "?q=007" is the text 007: the router itself would parse JSON. */
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
