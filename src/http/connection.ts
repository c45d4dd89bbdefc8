import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../core/network.ts'

type Exchange = { request: IncomingMessage; response: ServerResponse; begunAt: number; readBefore: number }

/** A client that reads fewer bytes than this between two checks counts as not reading, unless no bytes are waiting for it. */
const minTakenBytes = 16_384
/**
 * The most that one check adds to the time for which a client has not read. Unless the process is busy, checks run every 250
 * ms.
 */
const maxStallStepMs = 500

/** The maximum numbers of unanswered requests on a connection: of a recognized caller, and of an anonymous client. */
export const maxUnanswered = 100
const maxUnansweredOfAnonymousClient = 8

const connections = new WeakMap<Socket, Connection>()

export function connectionOf(socket: Socket): Connection | undefined {
  return connections.get(socket)
}

/** One connection, and the memory that this process uses for it. */
export class Connection {
  readonly socket: Socket
  readonly openedAt: number
  /** Requests that are being read or answered, in order of arrival; more than one if pipelined. */
  #exchanges: Exchange[] = []
  #isUsed = false
  #bytesBefore = 0
  #takenBytes = 0
  #checkedAt: number
  #stalledMs = 0

  constructor(socket: Socket, now: number) {
    this.socket = socket
    connections.set(socket, this)
    socket.once('close', () => this.#closeUnanswered())
    this.openedAt = now
    this.#checkedAt = now
  }

  begin(request: IncomingMessage, response: ServerResponse, now: number): void {
    // Answers are sent in the order of their requests.
    if (this.isIdle) this.#exchanges = []
    else if (this.#exchanges.length >= maxUnansweredOfAnonymousClient)
      this.#exchanges = this.#exchanges.filter(({ response }) => !response.writableFinished)
    this.#exchanges.push({ request, response, begunAt: now, readBefore: this.#bytesBefore })
    // Part of the body may have arrived with the headers, so the bytes of the body are counted from the start of the previous
    // request.
    this.#bytesBefore = this.socket.bytesRead
    this.#isUsed = true
  }

  /** Whether a request has ever arrived on the connection. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  /** Whether the connection has no unanswered request with complete headers. */
  get isIdle(): boolean {
    return this.#exchanges.at(-1)?.response.writableFinished ?? true
  }

  /** Whether the caller of a request on the connection was recognized. */
  get isOfCaller(): boolean {
    return socketsOfCallers.has(this.socket)
  }

  /** Whether the client sent too many requests without waiting for answers. */
  hasTooManyUnanswered(most: number): boolean {
    return this.#exchanges.length > (this.isOfCaller ? most : maxUnansweredOfAnonymousClient)
  }

  /** The last answer that is not sent yet although its request is complete. */
  get pendingAnswer(): ServerResponse | undefined {
    return this.#exchanges.findLast(({ request, response }) => request.complete && !response.writableFinished)?.response
  }

  /** Whether the answer to a request has begun whose body is not complete. */
  get hasBegunAnswer(): boolean {
    return this.#exchanges.some(({ request, response }) => !request.complete && response.headersSent)
  }

  /** Bytes of answers that the client has not read yet. */
  get waitingBytes(): number {
    return this.#exchanges.reduce((sum, { response }) => sum + response.writableLength, 0)
  }

  /** Returns for how long the client has not been reading its answers, in milliseconds. Must be called regularly. */
  checkStall(now: number): number {
    const takenBytes = this.#bytesTaken()
    if (takenBytes - this.#takenBytes >= minTakenBytes || this.socket.writableLength === 0) {
      this.#takenBytes = takenBytes
      this.#stalledMs = 0
    } else {
      // Limited, because a busy process sends nothing, which is not the client's fault.
      this.#stalledMs += Math.min(now - this.#checkedAt, maxStallStepMs)
    }
    this.#checkedAt = now
    return this.#stalledMs
  }

  /** Bytes of the bodies of requests that are not answered yet. */
  bodyBytes(limitBytes: number): number {
    const received = this.socket.bytesRead
    return this.#exchanges.reduce((sum, { request, response, readBefore }) => {
      if (response.writableFinished || streamedRequests.has(request)) return sum
      return sum + Math.min(announcedBytes(request), limitBytes, received - readBefore)
    }, 0)
  }

  /** How long the last body has been arriving, in milliseconds; 0 if all bodies are complete, or the last one is streamed. */
  sendingMs(now: number): number {
    const last = this.#exchanges.at(-1)
    if (!last || last.request.complete) return 0
    const stream = streamedRequests.get(last.request)
    return stream ? now - (stream.endedAt ?? now) : now - last.begunAt
  }

  /** How long the server has been waiting for the client's first request, its body or its reading, in milliseconds. */
  awaitedMs(now: number): number {
    return this.#isUsed ? Math.max(this.sendingMs(now), this.#stalledMs) : now - this.openedAt
  }

  /** Whether the answer to the connection's last request is sent. */
  get isAnswered(): boolean {
    return this.#exchanges.at(-1)?.response.writableFinished ?? false
  }

  /** Closes pipelined answers when the client has left, because Node closes only the answer that is being sent. */
  #closeUnanswered(): void {
    for (const { response } of this.#exchanges) {
      if (response.socket !== null || response.closed || response.destroyed) continue
      response.destroy()
      response.emit('close')
    }
  }

  /** The bytes that the kernel has accepted. Node's own count includes a large answer only once its last byte is sent. */
  #bytesTaken(): number {
    const { _handle: handle } = this.socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } }
    return handle ? handle.bytesWritten - handle.writeQueueSize : this.#takenBytes
  }
}

function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** Connections on which the caller of a request was recognized. */
const socketsOfCallers = new WeakSet<Socket>()

/** The networks (see `networkOf`) of the latest connections with a recognized caller. */
const callerNetworks = new LRUCache<string, true>({ max: 10_000 })

/** Called once the request's key, token or cookie has been found valid. */
export function recognizeCaller({ socket }: IncomingMessage): void {
  if (socketsOfCallers.has(socket)) return
  socketsOfCallers.add(socket)
  callerNetworks.set(networkOf(socket.remoteAddress ?? ''), true)
}

/** Whether a caller was recognized in this network. An attacker may be in the same network. */
export function isKnownCallerNetwork(network: string): boolean {
  return callerNetworks.has(network)
}

export function isFromRecognizedCaller({ socket }: IncomingMessage): boolean {
  return socketsOfCallers.has(socket)
}

/** Requests whose bodies are processed line by line, and when that ended. */
const streamedRequests = new WeakMap<IncomingMessage, { endedAt: number | null }>()

/** Marks a body as processed while it arrives: it is never in memory as a whole, and may take as long as its sender likes. */
export function beginStreaming(request: IncomingMessage): void {
  streamedRequests.set(request, { endedAt: null })
}

/** Marks the processing of a body as ended, and drops the bytes that still arrive. */
export function endStreaming(request: IncomingMessage, now: number): void {
  streamedRequests.set(request, { endedAt: now })
  if (!request.complete) request.resume()
}
