import { Command } from '@commander-js/extra-typings'
import { type Context, examples } from '../command.ts'
import { connect, urlOption } from '../connection.ts'

export const mcp = ({ env, output }: Context) =>
  new Command('mcp')
    .summary('serve the operations of the service as tools for agents')
    .description(
      `Serves the Model Context Protocol on standard input and output. Every operation that only reads is a tool; with --allow-writes the others are tools too. The key decides what they may do: give an agent one with the role viewer.`,
    )
    .option('--allow-writes', 'also has the operations that change something')
    .addOption(urlOption)
    .addHelpText('after', examples('entitlements mcp', 'entitlements mcp --allow-writes'))
    .action(async ({ url, allowWrites: allowsWrites = false }) => {
      const connection = connect(env, url)
      // Loaded late, because it takes longer to load than everything else.
      const { serveTools } = await import('../mcp/serve.ts')
      await serveTools(connection, { allowsWrites, output })
    })
