import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../support/until.ts'
import { type ReceivedSpan, readSpans } from './otlp.ts'

export type Collector = {
  /** The address for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: ReceivedSpan[]
  /** The headers and the path of each request. */
  requests: { path: string; headers: IncomingHttpHeaders }[]
  /** Resolves to the spans of a trace once there are this many. */
  ofTrace(traceId: string, count: number): Promise<ReceivedSpan[]>
  close(): Promise<void>
}

/** Takes spans as OpenTelemetry's collector does, over HTTP in protobuf. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const requests: Collector['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ path: request.url ?? '', headers: request.headers })
    spans.push(...readSpans(Buffer.concat(chunks)))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const inTrace = (id: string) => spans.filter(({ traceId }) => traceId === id)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async ofTrace(traceId, count) {
      await until(() => inTrace(traceId).length >= count)
      return inTrace(traceId)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
