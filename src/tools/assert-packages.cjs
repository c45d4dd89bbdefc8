/*
 * A script of `npm ci` that runs before the builds, and ends an installation that lacks their packages. It looks for Vite,
 * because npm installs Prisma's command line even with --omit=dev: Prisma Client names it as an optional peer.
 */
try {
  require.resolve('vite')
} catch {
  console.error('The packages that build the service were left out (--omit=dev, or NODE_ENV=production).')
  console.error('Run npm ci --include=dev, or install a release: docs/operations/install.md.')
  process.exit(1)
}
