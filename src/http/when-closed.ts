import type { FastifyReply } from 'fastify'

/**
 * Calls back once the answer is sent or its client has left; at once if that has already happened. Everything that a request
 * holds is released by this callback, or by the function that does the work.
 */
export function whenClosed({ raw }: FastifyReply, callback: () => void): void {
  if (raw.destroyed || raw.closed) callback()
  else raw.once('close', callback)
}

/** Aborted once the answer is sent or its client has left. */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  whenClosed(reply, () => closed.abort())
  return closed.signal
}
