import { queryFieldsOf, readsQuery } from '../../../../rest/query.ts'
import { maxTargetBytes } from '../../../../src/http/limit-target.ts'
import type { ServerRoute } from '../report-cpu.ts'
import type { Position } from './position.ts'
import { pathValue, type Route, requestOf, routesOf } from './routes.ts'

const isSendable = /^[!-~]+$/
const raw = (text: string) => (isSendable.test(text) ? text : null)
const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed())
const encodings = { raw, encoded: percentEncoded }

/** The lengths of whole targets: the longest that the service reads, and the longest that Node accepts with our headers. */
export const targetLengths = [maxTargetBytes, 15_000]

/** Values in paths and queries, and any text after a path. */
export function targetPositions(served: readonly ServerRoute[], oidcCookie: string): Position[] {
  return routesOf(served).flatMap((route) => {
    const base = requestOf(route)
    const { path } = base
    if (route.url.startsWith('/auth/oidc')) base.headers = { ...base.headers, cookie: oidcCookie }
    const values = [...route.url.matchAll(pathValue)].map(({ index, 0: name }) => ({
      name: `path value ${name}`,
      begin: route.url.slice(0, index).replaceAll(pathValue, 'x'),
      end: route.url.slice(index + name.length).replaceAll(pathValue, 'x'),
    }))
    const queries = ['', 'x=', ...queryNamesOf(route).map((name) => `${name}=`)].map((begin) => ({
      name: `query ${begin}`,
      begin: `${path}?${begin}`,
      end: '',
    }))
    const names = route.operation ? [] : [{ name: 'end of the path', begin: path, end: '' }]
    return [...values, ...names, ...queries].flatMap(({ name, begin, end }) =>
      Object.entries(encodings).flatMap(([encoding, encode]) =>
        route.callers.map((caller) => ({
          name: `${route.method} ${route.url}, ${name}, ${encoding}`,
          caller,
          lengths: targetLengths.map((length) => length - begin.length - end.length),
          encode,
          request: (text: string) => ({ ...base, path: begin + text + end }),
        })),
      ),
    )
  })
}

/** The parameters of the identity provider's answer and of our own address. */
const oidcNames = ['to', 'code', 'state', 'error', 'iss']

function queryNamesOf({ url, operation }: Route): string[] {
  if (url.startsWith('/auth/oidc')) return oidcNames
  if (!operation || !readsQuery(operation)) return []
  return [...queryFieldsOf(operation)].flatMap(([name, { type }]) =>
    type.kind === 'map' ? [`${name}[key]`, `${name}[`] : [name],
  )
}
