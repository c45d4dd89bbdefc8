import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
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
  let made: Promise<GraphiqlPage> | undefined

  app.get('/graphql', async (request, reply) => {
    const { accept = '*/*', 'accept-encoding': encodings = '', 'if-none-match': known } = request.headers
    // For people alone: a document in the address is shown there and never run.
    if (!/text\/html|\*\/\*/.test(accept)) return reply.callNotFound()
    made ??= makePage()
    const { html, compressed, policy, etag } = await made
    reply.headers({
      etag,
      vary: 'accept, accept-encoding',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    })
    if (known?.includes(etag)) return reply.code(304).send()
    reply.type('text/html; charset=utf-8')
    if (!/\bgzip\b/.test(encodings)) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}

type GraphiqlPage = { html: string; compressed: Buffer; policy: string; etag: string }

/** At the first visit: with the module it is made from the page takes 50 MB, and most servers never show it. */
async function makePage(): Promise<GraphiqlPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL({
    title: 'Entitlements · GraphiQL',
    defaultQuery,
    headers: defaultHeaders,
    endpoint: '/graphql',
  })
  const etag = `"${sha256(html, 'base64url').slice(0, 22)}"`
  return { html, compressed: await promisify(gzip)(html), policy: policyOf(html), etag }
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
