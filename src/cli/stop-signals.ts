import { constants } from 'node:os'
import { StartupError } from '../core/startup-error.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The error of a command that a signal has stopped. */
export class StoppedBySignal extends StartupError {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal} before the command had ended.`)
    this.signal = signal
  }
}

/**
 * Runs work that needs cleaning up. A signal that would end the process aborts `stopping` instead, and this throws a
 * `StoppedBySignal` if the work then fails. Ignores later signals, because under npm, Ctrl-C arrives twice.
 */
export async function untilStopSignal<T>(work: (stopping: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { signal: stopping } = controller
  const stop = (signal: NodeJS.Signals) => controller.abort(new StoppedBySignal(signal))
  for (const signal of stopSignals) process.on(signal, stop)
  try {
    return await work(stopping)
  } catch (error) {
    stopping.throwIfAborted()
    throw error
  } finally {
    for (const signal of stopSignals) process.off(signal, stop)
  }
}

/** Ends the process as the signal would have ended it without a listener. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.kill(process.pid, signal)
  // The first process of a container ignores signals without a listener.
  process.exit(128 + constants.signals[signal])
}
