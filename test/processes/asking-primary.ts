import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { ApiProcesses } from '../../src/processes/api-processes.ts'
import { answerPrimary, handlePrimaryMessages, sendLastAnswer, sendToPrimary } from '../../src/processes/primary.ts'

/*
 * A primary that asks its two processes, kills one that was given a connection but had not accepted it, stops the other one,
 * and prints the answers, including the last ones.
 */

if (cluster.isPrimary) {
  const ended: unknown[] = []
  const { promise: firstEnd, resolve: onFirstEnd } = Promise.withResolvers<void>()
  const onEnded = (last: unknown) => {
    ended.push(last)
    onFirstEnd()
  }
  const processes = new ApiProcesses({ command: 'api', count: 2, logger: pino({ level: 'silent' }), env: {}, onEnded })
  const url = await processes.start()
  const firstAnswers = (await processes.ask()) as { pid: number }[]
  const killed = firstAnswers[0]?.pid ?? 0
  process.kill(killed, 'SIGSTOP')
  const answers = Array.from({ length: 4 }, () => request(Number(new URL(url).port)))
  const { promise: allButOne, resolve: onAllButOne } = Promise.withResolvers<void>()
  let answered = 0
  for (const answer of answers) {
    void answer.then(() => {
      answered += 1
      if (answered === answers.length - 1) onAllButOne()
    })
  }
  await allButOne
  process.kill(killed, 'SIGKILL')
  const answeringPids = await Promise.all(answers)
  await firstEnd
  processes.askToStop()
  await processes.ended()
  console.log(JSON.stringify({ firstAnswers, killed, servedBy: answeringPids, ended }))
  process.exit(0)
} else {
  let times = 0
  answerPrimary(async () => ({ pid: process.pid, times: ++times }))
  handlePrimaryMessages({ stop: () => void sendLastAnswer().then(() => process.exit(0)), leave: () => {} })
  const server = createServer((_request, response) => response.end(`${process.pid}`)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await sendToPrimary({ kind: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** Resolves to the id of the process that answers on a new connection. */
async function request(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\n\r\n')
  return Number((await text(socket)).split('\r\n').at(-1))
}
