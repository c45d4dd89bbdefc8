import type { Process } from './stage.ts'
import type { Entry } from './stored.ts'
import type { Subject } from './subject.ts'

/** One write as its client saw it: a line of the ledger. */
export type Write = {
  /** Sent as the User-Agent, by which the audit log's entry is found. */
  id: string
  organizationId: string
  what: Subject | Creation
  /** Of a subject. */
  value: number
  /** Null: there was no answer. */
  status: number | null
  message: string
  sentAt: number
  /** Infinity: without an answer. */
  answeredAt: number
  /** Null behind the balancer. */
  process: Process | null
}

/** Something that is there when the write was done, and else is not. */
export type Creation = { kind: 'subscriber' | 'subscription' | 'service account'; key: string }

export function isDone({ status }: Pick<Write, 'status'>): boolean {
  return status === 200 || status === 201
}

/** The service does not know what became of it, and says so. */
export function isOpen({ status, message }: Write): boolean {
  return status === 503 && message.includes('not known')
}

/** Of the entry of a write that was done. */
export function isSuccess(entry: Entry | undefined): boolean {
  return entry?.outcome === 'responded' && entry.status !== null && entry.status < 300
}
