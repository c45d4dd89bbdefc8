import { Option } from '@commander-js/extra-typings'
import {
  type Api,
  ConnectionError,
  createApi,
  EntitlementsError,
  ForbiddenError,
  TimeoutError,
  UnauthorizedError,
} from '../client/api/index.ts'
import type { Environment } from './command.ts'
import { describeRefusal } from './explain.ts'
import { Problem, reasonOf } from './problem.ts'

/** A service and a key for it. Its two variables have a common prefix: `STAGING_URL` and `STAGING_API_KEY`. */
export type Connection = {
  prefix: string
  url: string
  key: string
  /** Asks the service. Throws a Problem that names the variable that may be wrong; other errors stay EntitlementsErrors. */
  ask<T>(question: (api: Api) => PromiseLike<T>): Promise<T>
}

export const defaultPrefix = 'ENTITLEMENTS'

export const urlOption = new Option('--url <url>', `the address of the service; by default, ${defaultPrefix}_URL`)

/** The service of `ENTITLEMENTS_URL` and `ENTITLEMENTS_API_KEY`, or of other variables with another prefix. */
export function connect(env: Environment, givenUrl?: string, prefix: string = defaultPrefix): Connection {
  const url = readUrl(env, givenUrl, prefix)
  const key = env[`${prefix}_API_KEY`]?.trim()
  if (!key) {
    throw new Problem(
      `${prefix}_API_KEY is not set. Set it to the key of a service account at ${url}. An admin creates one in the console, under Team.`,
      { code: 'NO_KEY' },
    )
  }
  // `fetch` would throw an error that contains the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Problem(`${prefix}_API_KEY contains an invalid character. Copy the key again.`, { code: 'NO_KEY' })
  }
  const api = createApi({ baseUrl: url, apiKey: key })
  return {
    prefix,
    url,
    key,
    async ask(question) {
      try {
        return await question(api)
      } catch (error) {
        throw explainConnection(error, { url, prefix })
      }
    },
  }
}

function readUrl(env: Environment, givenUrl: string | undefined, prefix: string): string {
  const variable = `${prefix}_URL`
  const name = givenUrl === undefined ? variable : '--url'
  const text = (givenUrl ?? env[variable])?.trim()
  if (!text) {
    const option = prefix === defaultPrefix ? ', or give --url' : ''
    throw new Problem(
      `${variable} is not set. Set it to the address of the service, such as http://127.0.0.1:4000${option}.`,
      {
        code: 'NO_URL',
      },
    )
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Problem(`${name} must be an address such as https://entitlements.example.com, but is "${text}".`, {
      code: 'NO_URL',
    })
  }
  return text.replace(/\/+$/, '')
}

type Names = Pick<Connection, 'url' | 'prefix'>

/** If one of the two variables is probably wrong, returns a Problem that names it. */
export function explainConnection(error: unknown, { url, prefix }: Names): unknown {
  if (!(error instanceof EntitlementsError)) return error
  const problemWithCause = (message: string) =>
    new Problem(message, { code: error.code, details: error.details, cause: error })
  if (error instanceof UnauthorizedError) {
    return problemWithCause(`The service at ${url} does not accept ${prefix}_API_KEY. ${describeRefusal(error)}`)
  }
  if (error instanceof ForbiddenError) {
    return problemWithCause(
      `The role of ${prefix}_API_KEY does not allow this${labelsOf(error)}. ${describeRefusal(error)}`,
    )
  }
  if (error instanceof ConnectionError) {
    return problemWithCause(
      `The service at ${url} cannot be reached: ${reasonOf(error)}. Is ${prefix}_URL right, and is the service running?`,
    )
  }
  if (error instanceof TimeoutError) {
    return problemWithCause(`The service at ${url} did not answer in time. Try again, or see its log.`)
  }
  if (error.code === 'NOT_FOUND' && error.details === null) {
    return problemWithCause(
      `The service at ${url} does not know this request. Is ${prefix}_URL its address, without a path?`,
    )
  }
  return error
}

function labelsOf({ details }: ForbiddenError): string {
  const { required_labels: labels } = (details ?? {}) as { required_labels?: string[] }
  return labels ? `: it needs the label ${labels.join(' or ')}` : ''
}
