import { defineCommand } from '../command.ts'
import { connect, urlOption } from '../connection.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve the operations of the service as tools for agents',
  about: `
Serves the Model Context Protocol on standard input and output. Every operation that only reads is a tool; with --allow-writes
the others are tools too. The key decides what they may do: give an agent one with the role viewer.`,
  options: { 'allow-writes': { about: 'also has the operations that change something' }, url: urlOption },
  examples: ['entitlements mcp', 'entitlements mcp --allow-writes'],
  async run({ options, env, output }) {
    const connection = connect(env, options.url)
    // Loaded late, because it takes longer to load than all the rest.
    const { serveTools } = await import('../mcp/serve.ts')
    return serveTools(connection, { allowsWrites: options['allow-writes'] ?? false, output })
  },
})
