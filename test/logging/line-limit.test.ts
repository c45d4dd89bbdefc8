import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/logging/log.ts'
import { toText } from '../../src/logging/to-text.ts'
import type { LogEntry } from '../support/service.ts'

function start(level = 'info') {
  const lines: LogEntry[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { ...createLog({ level, format: 'json', stream }), lines }
}

describe('a line that is repeated', () => {
  it('is written five times a minute for each kind, and further repetitions are only counted', () => {
    const { logger, end, lines } = start()

    for (let number = 0; number < 50; number++) logger.warn({ operation: 'plan', requestId: number }, 'refused')
    for (let number = 0; number < 7; number++) logger.warn({ operation: 'feature' }, 'refused')
    logger.info('something else')
    end()

    expect(lines.filter(({ msg }) => msg === 'refused')).toHaveLength(10)
    expect(
      lines.slice(10).map(({ level: _, time: __, pid: ___, hostname: ____, version: _____, ...line }) => line),
    ).toEqual([
      { msg: 'something else' },
      {
        line: 'refused',
        leftOut: 47,
        kinds: 2,
        most: { operation: 'plan' },
        msg: 'more lines like this were left out',
      },
    ])
  })

  it('is written at most fifty times a minute, however much its fields differ', () => {
    const { logger, end, lines } = start()

    for (let number = 0; number < 10_000; number++) logger.error({ err: new Error(`no ${number}`) }, 'failed')
    end()

    expect(lines).toHaveLength(51)
    expect(lines.at(-1)).toMatchObject({ leftOut: 9_950 })
  })

  it('is written again after the minute', () => {
    const { logger, end, lines } = start()
    const repeat = () => {
      for (let number = 0; number < 6; number++) logger.warn('again')
      end()
    }

    repeat()
    repeat()

    expect(lines.filter(({ msg }) => msg === 'again')).toHaveLength(10)
  })

  it('is written each time at debug, and when the process ends', () => {
    const { logger, end, lines } = start('debug')

    for (let number = 0; number < 20; number++) logger.debug('asked')
    for (let number = 0; number < 20; number++) logger.fatal('ended')
    end()

    expect(lines).toHaveLength(40)
  })
})

describe('LOG_FORMAT=pretty', () => {
  it('makes lines that people can read: time, level, message, fields and the stack of an error', () => {
    const error = { type: 'Error', message: 'no', stack: 'Error: no\n    at here' }
    const line = {
      level: 50,
      time: 0,
      pid: 1,
      hostname: 'h',
      requestId: 'req_1',
      code: null,
      err: error,
      msg: 'failed',
    }

    expect(toText(JSON.stringify(line))).toMatch(
      /^\d\d:\d\d:\d\d ERROR failed {2}requestId=req_1\n {4}Error: no\n {8}at here\n$/,
    )
  })

  it('is applied by the logger', () => {
    const written: string[] = []
    const stream = { write: (text: string) => void written.push(text) }
    const { logger } = createLog({ level: 'info', format: 'pretty', stream })

    logger.info({ migrations: ['one', 'two'] }, 'applied')

    expect(written.join('')).toMatch(/^\d\d:\d\d:\d\d INFO {2}applied {2}migrations=\["one","two"\]\n$/)
  })
})
