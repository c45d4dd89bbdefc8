import type { Socket } from 'node:net'
import { loopSlices } from '../fairness/loop-slices.ts'

/** How long a client may take to read the answer if it sends its whole body first. */
const lingerMs = 1_000
/** The maximum bytes of a refused body that are read from the network. */
const lingerBytes = 4 * 1024 * 1024

/**
 * Ends the connection gracefully after the answer that is about to be sent, even if the client is still sending. Node would
 * close the connection while bytes are unread, and the resulting reset can overtake the answer.
 */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.destroySoon = () => socket.destroy()
    endLingering(socket)
  }
}

/** Ends the connection once all written data is sent. Data that the client still sends is dropped without being parsed. */
export function endLingering(socket: Socket): void {
  if (socket.destroyed) return
  let dropped = 0
  const { remoteAddress = '' } = socket
  const drop = (part: Buffer) => {
    dropped += part.length
    // Reads only one part in each turn of the event loop, because reading costs time even if the data is dropped.
    socket.pause()
    if (dropped <= lingerBytes) void loopSlices.next(`dropping ${remoteAddress}`).then(() => socket.resume())
  }
  // Adding a listener makes Node's parser release the connection. Without its own listeners, the parser gets no more data.
  socket.on('data', drop)
  socket.removeAllListeners('data').removeAllListeners('end').on('data', drop)
  socket.on('end', () => socket.destroy())
  socket.end()
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
