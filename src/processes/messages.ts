/* The messages between a primary and its API processes. The primary listens on the port and distributes connections. */

export type FromPrimary =
  /** The whole service stops: the process does the same as after a signal. */
  | { kind: 'stop' }
  /** Another process replaces this one, which accepts no more connections, serves its open connections, and ends. */
  | { kind: 'leave' }
  | { kind: 'ask'; id: number }

export type FromProcess =
  /** The process answers at this address. */
  | { kind: 'ready'; url: string }
  /** `answer` is JSON, or null from a process that has no answer. The last answer before the process ends has no id. */
  | { kind: 'answer'; id: number | null; answer: unknown }
