import { lookup, Resolver } from 'node:dns/promises'
import { withDeadline } from '../src/core/deadline.ts'
import { Overloaded } from '../src/core/errors.ts'
import { FairQueue } from '../src/fairness/fair-queue.ts'

export type Address = { address: string; family: number }

const resolver = new Resolver({ timeout: 2000, tries: 2 })

/**
 * How long to wait for the other family after the addresses of one family were found: some name servers never answer requests
 * for IPv6 addresses.
 */
const otherFamilyMs = 500

/** A name server may answer Node's look-up but not the system's: these limits then keep some threads free. */
const systemLookups = new FairQueue({ atOnce: 2, atOnceOfOne: 1, maxWaitMs: 4_000 })

/**
 * Finds all addresses of a host name. The system's resolver blocks one of the process's four threads, which also hash passwords
 * and compress answers, while a name server does not answer. Therefore Node resolves a name over the network first, and the
 * system (with its hosts file and search domains) resolves it only if the name servers do answer.
 */
export async function resolveHost(hostname: string): Promise<Address[]> {
  if (!hostname.includes('.')) return lookUpInSystem(hostname)
  const addresses: Address[] = []
  const lookUps = [resolver.resolve4(hostname), resolver.resolve6(hostname)].map(async (texts, index) => {
    const family = index === 0 ? 4 : 6
    for (const address of await texts) addresses.push({ address, family })
  })
  const settled = Promise.allSettled(lookUps)
  await Promise.any(lookUps).then(
    () => withDeadline(performance.now() + otherFamilyMs, settled).catch(() => {}),
    () => {},
  )
  if (addresses.length > 0) return addresses.toSorted((one, other) => one.family - other.family)
  const found = await settled
  const timedOut = found.find((result) => result.status === 'rejected' && result.reason?.code === 'ETIMEOUT')
  if (timedOut?.status === 'rejected') throw timedOut.reason
  return lookUpInSystem(hostname)
}

async function lookUpInSystem(hostname: string): Promise<Address[]> {
  try {
    return await systemLookups.run(hostname, () => lookup(hostname, { all: true }))
  } catch (error) {
    throw error instanceof Overloaded ? Object.assign(new Error(error.message), { code: 'ETIMEOUT' }) : error
  }
}
