import { readdirSync } from 'node:fs'
import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'

/** A separate address for each attack, where the system allows, so that limits do not affect the neighbour and the probes. */
export const addressOf = (attack: number) => (process.platform === 'linux' ? `127.0.0.${attack}` : '127.0.0.1')

/** Requests with a chunked body, which the server refuses unread, reads from anyone, or reads only with a key. */
function chunkedRequests(key: string): Record<string, string> {
  const head = (path: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n${more}\r\n`
  return {
    'an unknown route': head('/nope'),
    'a route without its key': head('/org/features'),
    'a page': head('/docs/reference').replace('POST', 'GET'),
    'a sign-in': head('/user/sign-in'),
    'a document': head('/graphql'),
    'a write': head('/org/features', `X-API-Key: ${key}\r\n`),
    'an import': head('/org/subscribers/import', `X-API-Key: ${key}\r\n`).replace('/json', '/x-ndjson'),
  }
}

type Flood = { connections: number; sentBytes: number; answers: number; ended: number }

/** One connection that keeps sending these bytes until the server closes it or the time is up. */
async function flood(scene: AttackContext, seen: Flood, request: string, part: Buffer, endsAt: number): Promise<void> {
  const socket = await scene.client.open({ from: addressOf(2) })
  let isOver = false
  let received = ''
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    socket.once('end', end).once('close', end)
  })
  socket.on('data', (chunk) => {
    if (received.length < 20) received += chunk
  })
  socket.write(request)
  while (!isOver && !scene.signal.aborted && performance.now() < endsAt) {
    if (socket.writableLength < part.length) socket.write(part)
    await Promise.race([pause(scene, 20), over])
  }
  seen.connections += 1
  seen.sentBytes += socket.bytesWritten
  if (received !== '') seen.answers += 1
  if (isOver) seen.ended += 1
  socket.destroy()
  scene.answers.count(received.slice(0, 12).trim() || 'no answer')
}

function tinyChunks(bytes: number, dataBytes: number): Buffer {
  const chunk = `${dataBytes}\r\n${' '.repeat(dataBytes)}\r\n`
  return Buffer.from(chunk.repeat(Math.ceil(bytes / chunk.length)))
}

/** A few connections together send 3 MB a second, and reconnect as soon as they are closed. */
async function floodWithChunks(scene: AttackContext, dataBytes: number): Promise<void> {
  const lanes = scene.scale > 1 ? 4 : 1
  const part = tinyChunks(60_000 / lanes, dataBytes)
  for (const [name, request] of Object.entries(chunkedRequests(scene.attacker.key))) {
    const seen: Flood = { connections: 0, sentBytes: 0, answers: 0, ended: 0 }
    const isLong = scene.scale > 1
    const endsAt = performance.now() + (isLong ? 5_000 : dataBytes === 1 ? 10_000 : 500)
    const lane = async () => {
      while (performance.now() < endsAt && !scene.signal.aborted && (isLong || seen.ended < 3)) {
        await flood(scene, seen, request, part, endsAt)
        await pause(scene, 20)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    const { connections, sentBytes, answers, ended } = seen
    scene.note(`${name}: ${connections} connections, ${answers} answers, ${(sentBytes / 1e6).toFixed(1)} MB`)
    if (dataBytes === 1 && !isLong && ended === 0)
      scene.fault(`bodies of one-byte chunks to ${name} ended no connection`)
  }
}

const chunkAttacks: Attack[] = [
  { name: 'bodies in chunks of a byte, to any route', run: (scene) => floodWithChunks(scene, 1) },
  { name: 'bodies in chunks of two bytes, to any route', run: (scene) => floodWithChunks(scene, 2) },
]

/** Requests that need no key, and requests that are refused without one. */
async function publicRequests(scene: AttackContext): Promise<Record<string, string>> {
  const page = await scene.client.send({ path: '/', headers: { accept: 'text/html' } })
  const asset = /\/assets\/[\w-]+\.js/.exec(page?.body ?? '')?.[0] ?? '/assets/none.js'
  const get = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n${more}\r\n`
  return {
    pages: get('/sign-in'),
    files: get(asset),
    'the reference': get('/docs/reference'),
    'a guide': get('/docs/guides/changes'),
    'unknown routes': get('/nope'),
    liveness: get('/healthz'),
    readiness: get('/readyz'),
    'refusals without a key': get('/org/features'),
    'refusals of a key': get('/org/features', 'X-API-Key: nonsense\r\n'),
  }
}

/** The server's open descriptors; 0 where the system does not say. */
function openDescriptors({ server }: AttackContext): number {
  try {
    return readdirSync(`/proc/${server.pid}/fd`).length
  } catch {
    return 0
  }
}

/** Sends this many requests at once, and again after their answers, until the connection closes. Resolves to their number. */
async function pipeline(scene: AttackContext, request: string, atOnce: number, endsAt: number): Promise<number> {
  const socket = await scene.client.open({ from: addressOf(atOnce) })
  const bytes = Buffer.from(request.repeat(atOnce))
  let answers = 0
  socket.on('data', (chunk) => {
    const before = answers
    answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1
    // Waits a little, since the last answer may still be arriving.
    if (Math.floor(answers / atOnce) > Math.floor(before / atOnce)) setTimeout(() => socket.write(bytes), 10)
  })
  const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(bytes)
  await Promise.race([isClosed, pause(scene, Math.max(0, endsAt - performance.now()))])
  socket.destroy()
  return answers
}

/** A hundred connections that reopen as soon as they are closed. */
async function floodWithRequests(scene: AttackContext, atOnce: number): Promise<void> {
  let descriptors = 0
  const timer = setInterval(() => {
    descriptors = Math.max(descriptors, openDescriptors(scene))
  }, 50)
  for (const [name, request] of Object.entries(await publicRequests(scene))) {
    const endsAt = performance.now() + (scene.scale > 1 ? 5_000 : 500)
    let [answers, connections] = [0, 0]
    const lane = async () => {
      while (performance.now() < endsAt && !scene.signal.aborted) {
        connections += 1
        const answered = await pipeline(scene, request, atOnce, endsAt)
        answers += answered
      }
    }
    await Promise.all(Array.from({ length: 100 }, lane))
    scene.note(`${name}: ${answers} answers on ${connections} connections`)
  }
  clearInterval(timer)
  scene.note(`at most ${descriptors} descriptors`)
  if (descriptors > 600) scene.fault(`${descriptors} descriptors were open`)
}

const requestAttacks: Attack[] = [
  {
    name: 'pages, files and refusals, ninety requests at once on each connection',
    run: (scene) => floodWithRequests(scene, 90),
  },
  {
    name: 'pages, files and refusals, as many at once as an anonymous client may send',
    run: (scene) => floodWithRequests(scene, 8),
  },
]

const strangePaths = [
  '/assets/%00',
  '/assets/%',
  '/assets/..%5c',
  '//etc/passwd',
  '/assets//etc',
  '/assets/%2e%2e%2f',
  '/assets/a%2fb',
  '/docs/guides/%2e%2e%2fREADME.md',
  '/docs/..%5cREADME.md',
  '/docs/guides/none.md',
]

const pathAttack: Attack = {
  name: 'invalid paths of files',
  async run(scene) {
    const wrong = new Set<string>()
    await inParallel(scene, { total: 1_000 * scene.scale, atOnce: 50 }, async (index) => {
      const path = strangePaths[index % strangePaths.length] as string
      const answer = await scene.client.send({ path })
      if (answer && answer.status !== 404) wrong.add(`${path} is ${answer.status}`)
    })
    if (wrong.size > 0) scene.fault([...wrong].join(', '))
  },
}

export const socketAttacks: readonly Attack[] = [...chunkAttacks, ...requestAttacks, pathAttack]
