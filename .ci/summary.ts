import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'

type Failed = { message?: string; diff?: string | undefined }
type Failure = { what: string; errors: readonly Failed[] }

const messageLines = 15

/**
 * Writes to SUMMARY_FILE what failed, with the first lines of each message and difference, then the names alone, and as the
 * last line how many tests ran.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly Failed[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandledErrors.map((error) => ({ what: 'an error outside of every test', errors: [error] })),
    ]
    const lines = [...failures.flatMap(describe), ...failures.map(nameOf)]
    const file = process.env.SUMMARY_FILE
    if (file) writeFileSync(file, `${[...lines, `${passed} passed, ${failures.length} failed`].join('\n')}\n`)
  }
}

/** The file's failed tests, and the file itself if it failed, for example because of an import or a hook. */
function failuresOf(module: TestModule): Failure[] {
  const file = relative(process.cwd(), module.moduleId)
  const suites = [...module.children.allSuites()].map((suite) => ({ what: suite.fullName, errors: suite.errors() }))
  const tests = [...module.children.allTests('failed')].map((test) => ({
    what: test.fullName,
    errors: test.result().errors ?? [],
  }))
  return [
    ...[{ what: 'the file itself', errors: module.errors() }, ...suites].filter(({ errors }) => errors.length > 0),
    ...tests,
  ].map(({ what, errors }) => ({ what: `${file}: ${what}`, errors }))
}

function nameOf({ what }: Failure): string {
  return `FAILED ${what}`
}

function describe(failure: Failure): string[] {
  // The message alone may be only `expected [ Array(1) ] to deeply equal []`.
  const messages = failure.errors
    .flatMap(({ message = '', diff }) => [message, diff ?? ''])
    .flatMap((text) => stripVTControlCharacters(text).split('\n').slice(0, messageLines))
  return [nameOf(failure), ...messages.map((line) => `    ${line}`)]
}
