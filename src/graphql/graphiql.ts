import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { FastifyInstance } from 'fastify'

const defaultQuery = `# Paste your API key into the Headers tab below,
# between its quotes, and press the button.
query Catalog {
  features { key name kind }
  plans { key name grants { feature kind limit value } }
}
`

const defaultHeaders = '{ "X-API-Key": "" }'

/** GraphiQL, whole in one page of 9 MB: nothing is loaded from elsewhere, and the page's policy lets nothing be. */
export function serveGraphiql(app: FastifyInstance): void {
  const page = renderGraphiQL({
    title: 'Entitlements · GraphiQL',
    defaultQuery,
    headers: defaultHeaders,
    endpoint: '/graphql',
  })
  const policy = policyOf(page)
  const etag = `"${sha256(page, 'base64url').slice(0, 22)}"`
  let compressed: Promise<Buffer> | undefined

  app.get('/graphql', async (request, reply) => {
    const { accept = '*/*', 'accept-encoding': encodings = '', 'if-none-match': known } = request.headers
    // For people alone: a document in the address is shown there and never run.
    if (!/text\/html|\*\/\*/.test(accept)) return reply.callNotFound()
    reply
      .headers({
        etag,
        vary: 'accept, accept-encoding',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
    if (known?.includes(etag)) return reply.code(304).send()
    reply.type('text/html; charset=utf-8')
    if (!/\bgzip\b/.test(encodings)) return reply.send(page)
    compressed ??= promisify(gzip)(page)
    return reply.header('content-encoding', 'gzip').send(await compressed)
  })
}

/** Only the page's own scripts run, known by their hashes; its editors need workers from blobs and styles of their own. */
function policyOf(page: string): string {
  const scripts = Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text = '']) => text)
  const hashes = scripts.map((text) => `'sha256-${sha256(text, 'base64')}'`).join(' ')
  return [
    "default-src 'none'",
    `script-src ${hashes} blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sha256(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}
