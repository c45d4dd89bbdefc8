import type { FastifyInstance } from 'fastify'
import { referenceHeaders, renderReference } from '../reference/page.ts'
import { describeRestDoor } from './document.ts'

/** The same for everybody, and made once for a process. */
let made: { json: Buffer; page: Buffer } | null = null

/** The description of the REST door, for programs and for people; nobody needs a key for it. */
export function serveReference(app: FastifyInstance): void {
  made ??= makeReference()
  const { json, page } = made
  app.get('/openapi.json', (_request, reply) =>
    reply.header('cache-control', briefly).type('application/json; charset=utf-8').send(json),
  )
  app.get('/docs', (_request, reply) =>
    reply.headers(referenceHeaders).header('cache-control', briefly).type('text/html; charset=utf-8').send(page),
  )
}

/** An update of the server is seen within minutes. */
const briefly = 'public, max-age=300'

function makeReference() {
  const document = describeRestDoor()
  // Bytes, which many slow readers share.
  return { json: Buffer.from(JSON.stringify(document)), page: Buffer.from(renderReference(document)) }
}
