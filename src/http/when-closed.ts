import type { FastifyReply } from 'fastify'

/**
 * Calls back once the answer is sent or its client has left; at once if that has already happened. A request's resources are
 * released either by such a callback or by the function that does the work.
 */
export function whenClosed({ raw }: FastifyReply, callback: () => void): void {
  if (raw.destroyed || raw.closed) callback()
  else raw.once('close', callback)
}

/** A signal that is aborted once the answer is sent or its client has left. */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  whenClosed(reply, () => closed.abort())
  return closed.signal
}
