import type { Socket } from 'node:net'

/** A client that sends its whole body before it reads has this long to get to the answer. */
const lingerMs = 1_000
/** More of a refused body is not taken from the network. */
const lingerBytes = 4 * 1024 * 1024

/**
 * Lets the connection end with the answer that is about to be sent, although its client may still be sending. Node would
 * close it with unread bytes, and the reset that follows can overtake the answer.
 */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.destroySoon = () => socket.destroy()
    endLingering(socket)
  }
}

/** Ends the connection once what was written is sent. Until the client has ended too, the rest is dropped without being parsed. */
export function endLingering(socket: Socket): void {
  if (socket.destroyed) return
  let dropped = 0
  const drop = (part: Buffer) => {
    dropped += part.length
    if (dropped > lingerBytes) socket.pause()
  }
  // With a listener of another, Node's parser gives the connection back; without its own listeners it gets nothing more.
  socket.on('data', drop)
  socket.removeAllListeners('data').removeAllListeners('end').on('data', drop)
  socket.on('end', () => socket.destroy())
  socket.end()
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
