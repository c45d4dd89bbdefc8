import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { memoizeAsync } from '../../src/core/memoize-async.ts'
import { withoutTrailingSlashes } from '../../src/core/trailing-slashes.ts'
import { toEtag } from '../../src/http/etag.ts'
import type { OwnAddress } from '../../src/http/own-address.ts'
import { type Precompressed, sendPrecompressed, shortCacheControl } from '../../src/http/precompressed.ts'
import { describeRestApi } from '../openapi/document.ts'
import { addressOf } from './addresses.ts'
import { type Documents, findLinks, readDocuments } from './documents.ts'
import { type PageForAddress, packageFiller, precompressForAddress, type ServedPackage } from './fill-in.ts'
import { makeFullText, makeLlmsText } from './llms.ts'
import { docsHeaders, renderPage } from './page.ts'
import { makeSearchIndex, titlesOf } from './search-index.ts'

const addresses = ['/docs', '/docs.md', '/docs/*', '/CHANGELOG.md', '/llms.txt', '/llms-full.txt']

type Dependencies = { address: OwnAddress; loadPackages(): Promise<readonly ServedPackage[]> }

/** Serves the documents to anyone, as pages and as Markdown. */
export function serveDocs(app: FastifyInstance, { address, loadPackages }: Dependencies): void {
  // Renders the documents at the first request, because this takes a second and most processes never get such a request. Later
  // requests open no file.
  const loadFiles = memoizeAsync(async () => makeFiles(await loadPackages()))

  async function send(request: FastifyRequest, reply: FastifyReply) {
    const [path] = request.url.split('?', 1) as [string]
    if (path.endsWith('/')) return reply.redirect(withoutTrailingSlashes(path), 308)
    const prepared = (await loadFiles()).get(path)
    if (!prepared) return reply.callNotFound()
    const file = await prepared(address.baseUrl(request))
    if (file.type.startsWith('text/html')) reply.headers(docsHeaders)
    return sendPrecompressed(request, reply.header('cache-control', shortCacheControl), file)
  }

  for (const each of addresses) app.get(each, send)
}

async function makeFiles(packages: readonly ServedPackage[]): Promise<ReadonlyMap<string, PageForAddress>> {
  const documents = readDocuments()
  if (!documents) return new Map()
  const font = readFont()
  const files = new Map<string, PageForAddress>([['/docs/assets/inter.woff2', async () => font]])
  const fillIn = packageFiller(packages)
  for (const [path, { text, type }] of textsOf(documents)) {
    files.set(path, precompressForAddress(fillIn(text), `${type}; charset=utf-8`))
    // Lets the process answer other requests in between.
    await setImmediate()
  }
  return files
}

type TypedText = { text: string; type: string }

function* textsOf(documents: Documents): Generator<[path: string, text: TypedText]> {
  const api = describeRestApi()
  const links = findLinks(documents, api)
  for (const [file, text] of documents.texts) {
    yield [addressOf(file), { text: renderPage(file, documents, links), type: 'text/html' }]
    // The two addresses are the same for most documents, but not for the front page and the changelog.
    for (const address of new Set([`/${file}`, `${addressOf(file)}.md`]))
      yield [address, { text, type: 'text/markdown' }]
  }
  yield ['/llms.txt', { text: makeLlmsText(documents), type: 'text/plain' }]
  yield ['/llms-full.txt', { text: makeFullText(documents), type: 'text/plain' }]
  const index = makeSearchIndex(documents, api)
  yield ['/docs/assets/search.json', { text: JSON.stringify(index), type: 'application/json' }]
  yield ['/docs/assets/titles.json', { text: JSON.stringify(titlesOf(index)), type: 'application/json' }]
  yield ['/docs/assets/search.js', { text: readOwnAsset('search.js'), type: 'text/javascript' }]
  yield ['/docs/assets/style.css', { text: readOwnAsset('style.css'), type: 'text/css' }]
}

function readOwnAsset(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
}

/** The console's font, whose format is already compressed. */
function readFont(): Precompressed {
  const name = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  const plain = readFileSync(createRequire(import.meta.url).resolve(name))
  return { type: 'font/woff2', etag: toEtag(plain.toString('latin1')), plain, encoded: [] }
}
