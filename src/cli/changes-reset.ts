import { runCommand } from './command.ts'

await runCommand({
  help: `Usage: npm run changes:reset

Makes everybody who follows changes start anew: the cursors given out so far are answered by a reset. Run it after you
restored the file system of a PostgreSQL that was stopped when the copy was taken, or a snapshot or a moment of Amazon Aurora
or another managed database (docs/operations/backup.md); after a dump, a base backup or a promotion, the service notices by itself.`,
  options: {},
  async run({ tx }) {
    await tx.$executeRaw`delete from change_epoch`
    return 'Followers of changes will drop all that they hold, and start anew.'
  },
})
