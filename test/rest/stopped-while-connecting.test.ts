import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/service.ts'

const clients = 20

/** Opens connections, sends a request on each, and counts them: the kernel accepts them without the service. */
const code = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, connected, clients } } = require('node:worker_threads')
  const answers = []
  for (let index = 0; index < clients; index++) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /healthz HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n')
      Atomics.add(connected, 0, 1)
      Atomics.notify(connected, 0)
    })
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => { text += chunk })
    socket.on('error', ({ code }) => { text = code })
    socket.on('close', () => {
      answers.push(text.split('\\r\\n')[0])
      if (answers.length === clients) parentPort.postMessage(answers)
    })
  }`

it('a stopping server answers clients that have connected but have not been accepted yet', async () => {
  const service = await startService()
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { port: Number(new URL(service.url).port), connected, clients }
  const worker = new Worker(code, { eval: true, workerData })
  onTestFinished(() => void worker.terminate())
  const answered = once(worker, 'message')

  // Blocks the event loop, so that no connection is accepted before the stop.
  while (Atomics.load(connected, 0) < clients) Atomics.wait(connected, 0, Atomics.load(connected, 0), 100)
  await service.stop()

  expect(await answered).toEqual([Array(clients).fill('HTTP/1.1 200 OK')])
})
