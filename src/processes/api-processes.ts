import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from '../core/startup-error.ts'
import type { FromPrimary, FromProcess } from './messages.ts'
import { redistributeAtEnd } from './redistribute.ts'
import { restartWaitMs } from './restart-wait.ts'

type ApiProcess = {
  worker: Worker
  pid: number | undefined
  /** The address at which the process answers; rejects if the process ends before it answers. */
  url: Promise<string>
  ended: Promise<void>
  /** Whether the process answers requests and receives messages. */
  isReady: boolean
  /** Whether the process was asked to end, so that its end is not reported. */
  isLeaving: boolean
  /** The process's last answer to `ask`. */
  last: unknown
}

type Options = {
  /** The mode of the processes: an argument of `src/main.ts`. */
  command: 'api' | 'relay'
  count: number
  logger: Pick<Logger, 'info' | 'error'>
  /** The environment of the processes, in addition to this process's own. */
  env: Record<string, string>
  /** Called with the last metrics that an ended process has sent, if it sent any. */
  onEnded(last: unknown): void
}

const minuteMs = 60_000
const askTimeoutMs = 5_000
const lastMessagesMs = 1_000
/** A process that was asked to leave is killed if it has not ended after this time. */
const leaveTimeoutMs = 60_000

/** The API processes of this primary, on one port. A process that ends by itself is replaced. */
export class ApiProcesses {
  readonly #options: Options
  readonly #processes = new Set<ApiProcess>()
  readonly #questions = new Map<number | null, () => void>()
  /** The times at which processes ended unexpectedly, in the last minute. */
  #ends: number[] = []
  #restarting = Promise.resolve()
  #questionCount = 0
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
    // Passes on the options of this process.
    cluster.setupPrimary({ args: [options.command, ...process.argv.slice(2).filter((word) => word.startsWith('--'))] })
    // API processes must not outlive the primary, however it ends.
    process.once('exit', () => this.#signalAll('SIGKILL'))
  }

  /** Resolves to the address at which all processes answer; rejects if one of them cannot start. */
  async start(): Promise<string> {
    // Starts only one process at first, so that an error that prevents the start is reported once.
    const url = await this.#fork().url
    const others = Array.from({ length: this.#options.count - 1 }, () => this.#fork().url)
    await Promise.all(others)
    // Processes are replaced only from now on: if one ended earlier, the start has failed.
    for (const each of this.#processes) this.#replaceAtEnd(each)
    this.#options.logger.info(this.#pids, 'the API processes are ready')
    return url
  }

  /** Starts the processes, and stops them when `started` is disposed of; rejects if `signal` is aborted meanwhile. */
  async startUntilEnd({ signal, started }: { signal: AbortSignal; started: AsyncDisposableStack }): Promise<string> {
    const askToStop = () => this.askToStop()
    signal.addEventListener('abort', askToStop, { once: true })
    started.defer(() => {
      askToStop()
      return this.ended()
    })
    const url = await this.start()
    signal.throwIfAborted()
    return url
  }

  /** Replaces the processes one at a time, each once its successor answers. */
  restart(): void {
    this.#restarting = this.#restarting.then(() => this.#restartEach())
  }

  /**
   * Asks every serving process: see `answerPrimary`. If a process ends or does not answer in time, its previous answer is used.
   */
  async ask(): Promise<unknown[]> {
    const ready = [...this.#processes].filter(({ isReady }) => isReady)
    const answers = await Promise.all(ready.map((process) => this.#askOne(process)))
    return answers.filter((answer) => answer !== null)
  }

  async #askOne(process: ApiProcess): Promise<unknown> {
    const id = this.#questionCount++
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    this.#questions.set(id, resolve)
    const timeout = setTimeout(resolve, askTimeoutMs)
    void process.ended.then(resolve)
    sendMessage(process.worker, { kind: 'ask', id })
    await answered
    clearTimeout(timeout)
    this.#questions.delete(id)
    return process.last
  }

  /** Called when the primary gets a signal, so that `/readyz` answers 503 at once; `ended` waits for the processes to end. */
  askToStop(): void {
    this.#isStopping = true
    for (const { worker, isReady } of this.#processes) {
      if (isReady) sendMessage(worker, { kind: 'stop' })
      // The process may not receive messages yet.
      else worker.process.kill('SIGTERM')
    }
  }

  async ended(): Promise<void> {
    await Promise.all(Array.from(this.#processes, ({ ended }) => ended))
  }

  #fork(): ApiProcess {
    const worker = cluster.fork(this.#options.env)
    const ended = whenEnded(worker)
    redistributeAtEnd(worker, ended)
    const { promise: url, resolve, reject } = Promise.withResolvers<string>()
    // Avoids an unhandled rejection: the code that awaits the promise handles the error.
    url.catch(() => {})
    const apiProcess: ApiProcess = {
      worker,
      pid: worker.process.pid,
      url,
      ended,
      isReady: false,
      isLeaving: false,
      last: null,
    }
    worker.on('message', (message: FromProcess) => {
      if (message.kind === 'answer') {
        apiProcess.last = message.answer ?? apiProcess.last
        this.#questions.get(message.id)?.()
        return
      }
      apiProcess.isReady = true
      resolve(message.url)
    })
    worker.on('error', () => {})
    void ended.then(() => {
      this.#processes.delete(apiProcess)
      if (apiProcess.last !== null) this.#options.onEnded(apiProcess.last)
      reject(new StartupError('An API process ended before it answered: see what it printed before this line.'))
    })
    this.#processes.add(apiProcess)
    return apiProcess
  }

  #replaceAtEnd(process: ApiProcess): void {
    const { worker, pid, ended } = process
    void ended.then(async () => {
      if (process.isLeaving || this.#isStopping) return
      const now = performance.now()
      this.#ends = [...this.#ends.filter((at) => at > now - minuteMs), now]
      const waitMs = restartWaitMs(this.#ends.length)
      const { exitCode, signalCode } = worker.process
      this.#options.logger.error(
        { endedPid: pid, exitCode, signal: signalCode, waitMs },
        'an API process ended: it is started again',
      )
      await wait(waitMs, undefined, { ref: false })
      this.#fill()
    })
  }

  #fill(): void {
    while (!this.#isStopping && this.#processes.size < this.#options.count) {
      const successor = this.#fork()
      this.#replaceAtEnd(successor)
      void successor.url.then(
        () => this.#options.logger.info(this.#pids, 'the API processes are ready'),
        () => {},
      )
    }
  }

  async #restartEach(): Promise<void> {
    for (const old of [...this.#processes]) {
      if (this.#isStopping) return
      // The process has ended meanwhile, and was replaced.
      if (!this.#processes.has(old)) continue
      const successor = this.#fork()
      const isAnswering = await successor.url.then(
        () => true,
        () => false,
      )
      if (!isAnswering) {
        if (!this.#isStopping)
          this.#options.logger.error('a new API process could not start: the previous ones keep running')
        break
      }
      this.#replaceAtEnd(successor)
      await this.#end(old)
    }
    this.#fill()
    if (!this.#isStopping) this.#options.logger.info(this.#pids, 'the restart of the API processes has ended')
  }

  get #pids(): { pids: (number | undefined)[] } {
    return { pids: Array.from(this.#processes, ({ pid }) => pid) }
  }

  async #end(old: ApiProcess): Promise<void> {
    old.isLeaving = true
    sendMessage(old.worker, { kind: 'leave' })
    const killTimer = setTimeout(() => old.worker.process.kill('SIGKILL'), leaveTimeoutMs)
    await old.ended
    clearTimeout(killTimer)
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const { worker } of this.#processes) worker.process.kill(signal)
  }
}

/** Resolves once the process has ended and its last messages have arrived. */
function whenEnded(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => {
      if (!worker.isConnected()) return resolve()
      worker.once('disconnect', resolve)
      // node:cluster does not always report the disconnection.
      setTimeout(resolve, lastMessagesMs).unref()
    })
  })
}

function sendMessage(worker: Worker, message: FromPrimary): void {
  // A process that has just ended receives no more messages.
  if (worker.isConnected()) worker.send(message, undefined, () => {})
}
