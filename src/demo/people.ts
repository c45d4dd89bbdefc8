import type { Role } from '../database/generated/enums.ts'

/* The people who work at the demo's vendor. */

export const organizationName = 'Lumen Analytics'
/** A domain that nobody can register. */
export const emailDomain = 'lumen.example'

export type DemoPerson = { name: string; mailbox: string; role: Role; ip: string }

export const people = {
  ada: { name: 'Ada Okafor', mailbox: 'ada', role: 'admin', ip: '203.0.113.10' },
  ben: { name: 'Ben Larsen', mailbox: 'ben', role: 'developer', ip: '203.0.113.11' },
  chloe: { name: 'Chloé Martin', mailbox: 'chloe', role: 'support', ip: '203.0.113.12' },
  dmitri: { name: 'Dmitri Rao', mailbox: 'dmitri', role: 'viewer', ip: '203.0.113.13' },
} as const satisfies Record<string, DemoPerson>

export type PersonName = keyof typeof people

/** An account to sign in with; the password is random and stored nowhere. */
export type DemoAccount = { email: string; password: string; role: Role }

export const programs = {
  billing: { name: 'Billing sync', role: 'support', ip: '198.51.100.20' },
  product: { name: 'Product backend', role: 'evaluator', ip: '198.51.100.21' },
  reporting: { name: 'Nightly report', role: 'viewer', ip: '198.51.100.22' },
} as const satisfies Record<string, { name: string; role: Role; ip: string }>

export type ProgramName = keyof typeof programs
