import type { Socket } from 'node:net'
import { Agent, buildConnector, EnvHttpProxyAgent, fetch as send } from 'undici'
import { dropInterimAnswers } from '../core/interim-answers.ts'

const connect = buildConnector({ allowH2: false })

/** Opens connections to identity providers, and limits the interim (1xx) answers that a provider may send. */
const dispatcher = new (process.env.NODE_USE_ENV_PROXY === '1' ? EnvHttpProxyAgent : Agent)({
  connect: (target, callback) =>
    connect(target, (...[error, socket]) =>
      error === null ? callback(null, dropInterimAnswers(socket as Socket) as typeof socket) : callback(error, null),
    ),
})

/** `fetch` for requests to identity providers. */
export function fetchFromProvider(url: string | URL, init: RequestInit): Promise<Response> {
  return send(url, { ...init, dispatcher } as Parameters<typeof send>[1]) as unknown as Promise<Response>
}
