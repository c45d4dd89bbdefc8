import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build, type Rolldown } from 'vite'
import { atEnd } from '../../support/at-end.ts'
import type { PageConfig } from './react-page.ts'

/** The page's script with React's development code, which warns of mistakes and runs effects twice. */
export async function bundlePage(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: new URL('react-main.ts', import.meta.url).pathname },
    },
  })) as Rolldown.RolldownOutput
  const [chunk] = output.filter((each) => each.type === 'chunk')
  return (chunk as Rolldown.OutputChunk).code
}

export type SiteOptions = {
  script: string
  config: PageConfig
  /** The HTML of the page as the vendor's server rendered it. */
  html?: string
  /** The answer of the vendor's backend when its page asks for a token. */
  token(subscriber: string): Promise<string>
}

/**
 * Starts a vendor's site on its own origin, and closes the site after the test. `asked` lists the subscribers for whom the page
 * requested tokens.
 */
export async function startSite({ script, config, html = '', token }: SiteOptions) {
  const asked: string[] = []
  const document = `<!doctype html><div id="root">${html}</div><script>config = ${JSON.stringify(config)}</script><script type="module" src="/main.js"></script>`
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    if (pathname === '/token') {
      const subscriber = searchParams.get('subscriber') ?? ''
      asked.push(subscriber)
      response.end(await token(subscriber))
    } else if (pathname === '/main.js') response.setHeader('content-type', 'text/javascript').end(script)
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(document)
    else response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
