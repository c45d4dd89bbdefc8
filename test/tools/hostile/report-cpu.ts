import { subscribe } from 'node:diagnostics_channel'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'

/*
 * Loaded into the server's process before the service: answers the attacker's questions about it.
 */

/** A route of the server, with Fastify's `:name` for path values and `*` for the rest of a path. */
export type ServerRoute = { method: string; url: string }

/** `cpuMs` is the time that the main thread, which answers everyone, has worked. */
export type ServerReport = { cpuMs: number; routes: ServerRoute[] }

const routes: ServerRoute[] = []

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url })
  })
})

process.on('message', (question) => {
  if (question === 'collect') collectGarbage()
  const { user, system } = process.threadCpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000, routes } satisfies ServerReport)
})
// The service must be able to end even if its parent does not listen.
process.channel?.unref()
