import { lookup, Resolver } from 'node:dns/promises'

export type Address = { address: string; family: number }

const resolver = new Resolver({ timeout: 2000, tries: 2 })

/**
 * Finds all addresses of a host name. The system's resolver blocks one of the process's four threads while a name server does
 * not answer, so four such names would block all look-ups. Therefore Node resolves a name over the network first, and the
 * system (with its hosts file and search domains) resolves it only if the name servers do answer.
 */
export async function resolveHost(hostname: string): Promise<Address[]> {
  if (!hostname.includes('.')) return lookup(hostname, { all: true })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((result, index) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (addresses.length > 0) return addresses
  const timedOut = found.find((result) => result.status === 'rejected' && result.reason?.code === 'ETIMEOUT')
  if (timedOut?.status === 'rejected') throw timedOut.reason
  return lookup(hostname, { all: true })
}
