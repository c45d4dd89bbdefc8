import { command, printFromTransaction, run } from './command.ts'

await run(
  command('changes:reset')
    .description(
      'Makes all followers of changes start over: cursors issued so far are answered with a reset. Run it after you restore file copies of a stopped PostgreSQL, or after you restore Amazon Aurora or another managed database from a snapshot or to a point in time (docs/operations/backup.md). After a dump, a base backup or a promotion, this is not needed: the service notices by itself.',
    )
    .action(() =>
      printFromTransaction(async ({ tx }) => {
        await tx.$executeRaw`delete from change_epoch`
        return 'Followers of changes will drop everything that they have cached, and start over.'
      }),
    ),
)
