/* What a primary and its API processes tell each other. The primary listens on the port and hands connections out. */

export type FromPrimary =
  /** The whole service stops: as after a signal. */
  | { kind: 'stop' }
  /** Another process takes this one's place: it accepts no more connections, answers those it has, and ends. */
  | { kind: 'leave' }
  | { kind: 'ask'; id: number }

export type FromProcess =
  /** The process answers at this address. */
  | { kind: 'ready'; url: string }
  /** JSON; null from a process that has no answer. The last one, before the process ends, has no id. */
  | { kind: 'answer'; id: number | null; answer: unknown }
