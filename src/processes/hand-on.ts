import type { Worker } from 'node:cluster'

/**
 * node:cluster gives each connection to a process, and forgets it if the process is killed before it accepts it: the client
 * would wait forever. This reports on behalf of the process that it did not accept the connection, so that another one gets it.
 * Nothing of such a connection was read: a process confirms a connection before it reads from it.
 */
export function redistributeAtEnd({ process: child }: Worker, ended: Promise<void>): void {
  const given = new Set<number>()
  child.send = new Proxy(child.send, {
    apply(send, self, parameters) {
      const [{ seq }, handle] = parameters
      if (handle && seq !== undefined) given.add(seq)
      return Reflect.apply(send, self, parameters)
    },
  })
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) given.delete(ack)
  })
  void ended.then(() => {
    for (const ack of given) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
  })
}
