import { createElement, type FunctionComponent, type ReactNode, use } from 'react'
import { NetworkError } from '../api/errors.ts'

/**
 * The server answers, but this code cannot be loaded: the console was rebuilt since the page was opened, or the browser
 * remembers a failed fetch from when the server was down. Reloading the page fixes both.
 */
export class OutdatedError extends Error {
  constructor(cause: unknown) {
    super('This part of the console could not be loaded. It may have been updated since you opened it.', { cause })
    this.name = 'OutdatedError'
  }
}

/** A module with a component of any props: `load` determines their type. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Module = Record<string, any>

type Lazy<Component> = Component extends (props: infer Props) => unknown
  ? ((props: Props) => ReactNode) & { preload(): Promise<void> }
  : never

/** A failure is shown for this long before the component may be fetched again; "Try again" does not wait. */
const failureShownMs = 1000
let retries = 0

/** Allows components that could not be loaded to be fetched again at once. */
export function retryFailedComponents(): void {
  retries += 1
}

/**
 * A component whose code is fetched when it is first shown, or by `preload`. If fetching fails, it throws an error that
 * says whether the server is down or has newer code. The lazy components of React and of the router never fetch again after a
 * failure.
 */
export function lazyComponent<Loaded extends Module, Name extends keyof Loaded>(
  load: () => Promise<Loaded>,
  name: Name,
): Lazy<Loaded[Name]> {
  let loading: Promise<FunctionComponent<object>> | undefined
  let loaded: FunctionComponent<object> | undefined
  let failedAt = 0
  let failedAfter = 0

  function getLoading(): Promise<FunctionComponent<object>> {
    const mayRetry = retries > failedAfter || Date.now() - failedAt > failureShownMs
    if (failedAt > 0 && mayRetry) loading = undefined
    loading ??= startLoading()
    return loading
  }

  async function startLoading(): Promise<FunctionComponent<object>> {
    failedAt = 0
    const retriesBefore = retries
    try {
      loaded = (await load())[name] as FunctionComponent<object>
      return loaded
    } catch (cause) {
      const error = (await isServerUp()) ? new OutdatedError(cause) : new NetworkError(cause)
      // The person clicked "Try again" meanwhile.
      if (retries > retriesBefore) return startLoading()
      failedAt = Date.now()
      failedAfter = retries
      throw error
    }
  }

  const Component = (props: object) => createElement(loaded ?? use(getLoading()), props)
  const preload = () =>
    getLoading().then(
      () => undefined,
      () => undefined,
    )
  return Object.assign(Component, { preload }) as Lazy<Loaded[Name]>
}

/** Much longer than a slow server needs. A server that is down refuses the connection at once. */
const serverTimeoutMs = 30_000

/** Whether the server answers with a page. */
async function isServerUp(): Promise<boolean> {
  try {
    const { ok } = await fetch('/sign-in', {
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: AbortSignal.timeout(serverTimeoutMs),
    })
    return ok
  } catch {
    return false
  }
}
