import { Command } from '@commander-js/extra-typings'
import { type Context, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'

export const mcp = ({ env, output }: Context) =>
  new Command('mcp')
    .summary('serve the operations of the service as tools for agents')
    .description(
      `Serves the Model Context Protocol on standard input and output. Every operation that only reads is a tool; with --allow-writes, the other operations are tools too. The role of the key limits all tools: give an agent a key with the role viewer.`,
    )
    .option('--allow-writes', 'also serves the operations that change something')
    .addOption(urlOption)
    .addHelpText('after', examples('entitlements mcp', 'entitlements mcp --allow-writes'))
    .action(async ({ url, allowWrites: allowsWrites = false }) => {
      const connection = connect(env, url)
      // Loaded late, because it takes longer to load than everything else.
      const { serveTools } = await import('../mcp/serve.ts')
      await serveTools(connection, { allowsWrites, output })
    })
