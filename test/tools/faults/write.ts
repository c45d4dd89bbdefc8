import type { Process } from './stage.ts'
import type { Entry } from './stored-data.ts'
import type { Subject } from './subject.ts'

/** One write as its client saw it: a line of the ledger. */
export type Write = {
  /** Sent as the User-Agent, which identifies the entry of the audit log. */
  id: string
  organizationId: string
  what: Subject | Creation
  /** The value, for writes to a subject. */
  value: number
  /** Null when there was no answer. */
  status: number | null
  message: string
  sentAt: number
  /** Infinity when there was no answer. */
  answeredAt: number
  /** The process that got the request; null if the balancer chose it. */
  process: Process | null
}

/** An object that exists only if the write was executed. */
export type Creation = { kind: 'subscriber' | 'subscription' | 'service account'; key: string }

export function isDone({ status }: Pick<Write, 'status'>): boolean {
  return status === 200 || status === 201
}

/** Whether the service answered that it does not know the outcome. */
export function isOpen({ status, message }: Write): boolean {
  return status === 503 && message.includes('do not know')
}

/** The status in the entry of an executed write. */
export function isSuccess(entry: Entry | undefined): boolean {
  return entry?.outcome === 'responded' && entry.status !== null && entry.status < 300
}
