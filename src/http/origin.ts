import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { currentTime } from '../core/clock.ts'
import { unknownAddress } from '../core/network.ts'
import type { OwnAddress } from './own-address.ts'

/** The origin of a request, and its id. */
export type Origin = {
  requestId: string
  receivedAt: Date
  /** `unknownAddress` if a trusted proxy reports no address. */
  ip: string
  userAgent: string | null
  /** The address at which the client reached the service, or PUBLIC_URL; without a trailing slash. */
  baseUrl: string
}

export function originOf(request: FastifyRequest, { address }: { address: OwnAddress }): Origin {
  return {
    requestId: request.id,
    receivedAt: request.receivedAt ?? currentTime(),
    ip: addressOf(request),
    userAgent: request.headers['user-agent'] ?? null,
    baseUrl: address.baseUrl(request),
  }
}

/** The client's address; an IPv4 address that is written as IPv6 is converted to IPv4. */
function addressOf({ ip }: FastifyRequest): string {
  return isIP(ip) === 0 ? unknownAddress : ipaddr.process(ip).toString()
}
