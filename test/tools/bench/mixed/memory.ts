/** The memory of a process: its resident memory, and the heap after a garbage collection. */
import { setTimeout as wait } from 'node:timers/promises'
import { residentMegabytes, type ServiceHalf } from '../processes.ts'

/** Samples of resident memory in megabytes, one a second. */
export function sampleResident(pid: number): { samples: number[]; stop: () => void } {
  const samples: number[] = []
  const timer = setInterval(async () => void samples.push(await residentMegabytes(pid)), 1000)
  return { samples, stop: () => clearInterval(timer) }
}

/** Megabytes of heap after a collection, from the process's inspector. */
export async function heapMegabytes({ pid, inspectPort }: ServiceHalf): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await findInspector(inspectPort))
  try {
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    await ask(socket, 1, 'HeapProfiler.collectGarbage')
    const answer = await ask(socket, 2, 'Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })
    return (answer as { result: { value: number } }).result.value / 1e6
  } finally {
    socket.close()
  }
}

async function findInspector(port: number): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
    if (answer?.ok)
      return ((await answer.json()) as { webSocketDebuggerUrl: string }[])[0]?.webSocketDebuggerUrl as string
    await wait(50)
  }
  throw new Error('the inspector of the process does not answer')
}

function ask(socket: WebSocket, id: number, method: string, params = {}): Promise<unknown> {
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent) => {
      const message = JSON.parse(data)
      if (message.id !== id) return
      socket.removeEventListener('message', onMessage)
      resolve(message.result)
    }
    socket.addEventListener('message', onMessage)
    socket.send(JSON.stringify({ id, method, params }))
  })
}
