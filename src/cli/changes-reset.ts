import { command, printFromTransaction, run } from './command.ts'

await run(
  command('changes:reset')
    .description(
      'Makes everybody who follows changes start anew: the cursors given out so far are answered by a reset. Run it after you restored the file system of a PostgreSQL that was stopped when the copy was taken, or a snapshot or a moment of Amazon Aurora or another managed database (docs/operations/backup.md); after a dump, a base backup or a promotion, the service notices by itself.',
    )
    .action(() =>
      printFromTransaction(async ({ tx }) => {
        await tx.$executeRaw`delete from change_epoch`
        return 'Followers of changes will drop all that they hold, and start anew.'
      }),
    ),
)
