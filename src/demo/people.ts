import type { Role } from '../database/generated/enums.ts'

/* Who works at the vendor of the demo. */

export const organizationName = 'Lumen Analytics'
export const password = 'lumen demo password'

export type DemoPerson = { name: string; email: string; role: Role; ip: string }

export const people = {
  ada: { name: 'Ada Okafor', email: 'ada@lumen.example', role: 'admin', ip: '203.0.113.10' },
  ben: { name: 'Ben Larsen', email: 'ben@lumen.example', role: 'developer', ip: '203.0.113.11' },
  chloe: { name: 'Chloé Martin', email: 'chloe@lumen.example', role: 'support', ip: '203.0.113.12' },
  dmitri: { name: 'Dmitri Rao', email: 'dmitri@lumen.example', role: 'viewer', ip: '203.0.113.13' },
} as const satisfies Record<string, DemoPerson>

export type PersonName = keyof typeof people

export const programs = {
  billing: { name: 'Billing sync', role: 'support', ip: '198.51.100.20' },
  product: { name: 'Product backend', role: 'evaluator', ip: '198.51.100.21' },
  reporting: { name: 'Nightly report', role: 'viewer', ip: '198.51.100.22' },
} as const satisfies Record<string, { name: string; role: Role; ip: string }>

export type ProgramName = keyof typeof programs
