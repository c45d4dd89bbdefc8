import { pino } from 'pino'
import { unauthorized } from '../../../src/core/errors.ts'
import { Budget } from '../../../src/graphql/budget.ts'
import { createGraphqlContext } from '../../../src/graphql/context.ts'
import { createDocumentRunner, readRequest } from '../../../src/graphql/document.ts'
import { createFailureLog } from '../../../src/http/failure-log.ts'
import { hostileDocuments } from './hostile-documents.ts'

/** The maximum time to refuse or run any document within the body limit, with its variables. */
const maxMs = 100

type Measurement = { name: string; bytes: number; milliseconds: number; answer: string }

/**
 * Measures the processor time of each of the worst documents, from the text of the body to the text of the answer, without
 * a database. Throws if one takes too long.
 */
export async function* measureDocuments(): AsyncGenerator<string> {
  const ask = createAsker()
  yield '| document | bytes | ms | bytes of the answer | it says |'
  yield '|---|--:|--:|--:|---|'
  const tooSlow: string[] = []
  for (const { name, body } of hostileDocuments) {
    // V8 compiles during the first run; the median of the other runs counts.
    const runs: Measurement[] = []
    for (let run = 0; run < 4; run += 1) runs.push(await measure(ask, name, body))
    const middle = runs.slice(1).sort((a, b) => a.milliseconds - b.milliseconds)[1] as Measurement
    yield toRow(middle)
    if (middle.milliseconds > maxMs) tooSlow.push(name)
  }
  if (tooSlow.length > 0) throw new Error(`more than ${maxMs} ms: ${tooSlow.join(', ')}`)
}

/** Runs as an anonymous caller: root fields are refused at once, so only the work before them is measured. */
function createAsker() {
  const runDocument = createDocumentRunner({ failures: createFailureLog(pino({ level: 'silent' })), production: false })
  const origin = { requestId: 'req_0', ip: '', userAgent: null, receivedAt: new Date(), baseUrl: '' }
  const page = {
    from: 'none' as const,
    isHttps: false,
    browserMark: null,
    sessions: () => [],
    setCookie: () => {},
    endCookies: () => {},
  }
  const callers = { credentialRefusal: null, member: unauthorized(), user: unauthorized() }
  return async (body: string): Promise<string> => {
    const budget = new Budget({ maxAnswerBytes: 16_777_216, maxAnswerRows: 20_000 })
    const context = createGraphqlContext(
      {
        database: {},
        identity: {},
        keyOrigins: { addressOf: () => null },
        limits: {},
        assertCurrent() {},
        observe() {},
      } as never,
      {
        origin,
        idempotentRequest: null,
        page,
        callers,
        findCallers: async () => callers,
        budget,
      },
    )
    const { text } = await runDocument(readRequest(JSON.parse(body)), context)
    return String(text)
  }
}

async function measure(ask: (body: string) => Promise<string>, name: string, body: string): Promise<Measurement> {
  const begun = process.threadCpuUsage().user
  const answer = await ask(body)
  return { name, bytes: Buffer.byteLength(body), milliseconds: (process.threadCpuUsage().user - begun) / 1000, answer }
}

function toRow({ name, bytes, milliseconds, answer }: Measurement): string {
  const message = (JSON.parse(answer).errors?.[0]?.message ?? 'answered') as string
  return `| ${name} | ${bytes} | ${milliseconds.toFixed(1)} | ${answer.length} | ${message.slice(0, 70)} |`
}
