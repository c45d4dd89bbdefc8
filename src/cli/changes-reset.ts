import { command, printFromTransaction, run } from './command.ts'

await run(
  command('changes:reset')
    .description(
      'Makes all followers of changes start over: cursors issued so far are answered with a reset. Run it after you have restored a copy of the files of a stopped PostgreSQL, or a snapshot or a point in time of Amazon Aurora or another managed database (docs/operations/backup.md); after a dump, a base backup or a promotion, the service notices by itself.',
    )
    .action(() =>
      printFromTransaction(async ({ tx }) => {
        await tx.$executeRaw`delete from change_epoch`
        return 'Followers of changes will drop everything that they have cached, and start over.'
      }),
    ),
)
