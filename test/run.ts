/*
 * Runs Vitest with the given arguments. Adds the option `--long`, which Vitest does not have: random tests run 1,000 cases.
 */
const long = process.argv.indexOf('--long')
if (long !== -1) {
  process.argv.splice(long, 1)
  process.env.RANDOM_RUNS = '1000'
}
await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href)
