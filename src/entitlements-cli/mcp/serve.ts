import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type Connection, explainConnection } from '../connection.ts'
import { explain } from '../explain.ts'
import { manifest } from '../manifest.ts'
import type { Output } from '../output.ts'
import { Problem } from '../problem.ts'
import { loadDescription } from './load-description.ts'
import { type Tool, toTools } from './tools.ts'

type Settings = { allowsWrites: boolean; output: Output }

/** Serves until the other side closes standard input. */
export async function serveTools(connection: Connection, { allowsWrites, output }: Settings): Promise<void> {
  const tools = toTools(await loadDescription(connection), allowsWrites)
  await assertKey(connection)
  const server = new Server(
    { name: manifest.name, version: manifest.version },
    { capabilities: { tools: {} }, instructions: instructionsFor(connection, allowsWrites) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(connection, tools, params))

  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await server.connect(new StdioServerTransport())
  output.note(`Serving ${tools.length} tools of ${connection.url}, ${allowsWrites ? 'with' : 'without'} writes.`)
  await closed
}

/**
 * Checks the key by reading the changes, which every key may do and which costs nothing. Otherwise agents would discover an
 * invalid key only at their first call.
 */
async function assertKey(connection: Connection): Promise<void> {
  try {
    await connection.ask((api) => api.getChanges({ limit: 1 }))
  } catch (error) {
    // Start despite a temporary refusal, such as a limit on polls.
    if (error instanceof Problem) throw error
  }
}

function instructionsFor({ url }: Connection, allowsWrites: boolean): string {
  const writes = allowsWrites
    ? 'Tools without readOnlyHint change the catalog, subscribers or access: ask the person before you call them.'
    : 'No tool changes anything.'
  return `The Entitlements Service at ${url}: which features a subscriber may use, and how much. ${writes}`
}

type ToolCall = { name: string; arguments?: Record<string, unknown> | undefined }
type AnyMethod = (params: Record<string, unknown>) => PromiseLike<unknown>

/** A refusal is an answer too: its message tells the agent what to do next. */
async function call(connection: Connection, tools: readonly Tool[], called: ToolCall): Promise<CallToolResult> {
  const tool = tools.find(({ name }) => name === called.name)
  if (!tool) return failed(`There is no tool "${called.name}" here.`)
  try {
    const answer = await connection.ask((api) => (api[tool.name] as unknown as AnyMethod)(called.arguments ?? {}))
    return { content: [{ type: 'text', text: JSON.stringify(answer ?? { done: true }) }] }
  } catch (error) {
    return failed(explain(explainConnection(error, connection)).message)
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
