/*
 * A script of `npm ci`, before the builds. Prisma's command line is no sign of a complete installation: npm keeps it with
 * --omit=dev, because Prisma Client names it as an optional peer.
 */
try {
  require.resolve('vite')
} catch {
  console.error('The packages that build the service were left out (--omit=dev, or NODE_ENV=production).')
  console.error('Run npm ci --include=dev, or install a release: docs/operations/install.md.')
  process.exit(1)
}
