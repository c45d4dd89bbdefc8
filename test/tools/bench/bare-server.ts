/**
 * Shows the cost of HTTP itself: reads each request, and answers the same bytes as the service.
 * Its only argument is the body to answer. Prints its port.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = process.argv[2] ?? ''

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
