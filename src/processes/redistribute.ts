import type { Worker } from 'node:cluster'

/**
 * Gives another process the connections that a killed process did not accept. node:cluster would forget these connections, so
 * that their clients would wait forever. Reports, on behalf of the killed process, that it did not accept them. No data is
 * lost, because a process confirms a connection before it reads from the connection.
 */
export function redistributeAtEnd({ process: child }: Worker, ended: Promise<void>): void {
  const unaccepted = new Set<number>()
  child.send = new Proxy(child.send, {
    apply(send, self, parameters) {
      const [{ seq }, handle] = parameters
      if (handle && seq !== undefined) unaccepted.add(seq)
      return Reflect.apply(send, self, parameters)
    },
  })
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  void ended.then(() => {
    for (const ack of unaccepted) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
  })
}
