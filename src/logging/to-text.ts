import { toPrintable } from '../core/printable.ts'

const levels: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

type SerializedError = { stack?: string; message?: string }

/** Formats a JSON line of the log for people at a terminal: time, level, message, fields, and the stack of an error. */
export function toText(line: string): string {
  const { level, time, msg, pid: _, hostname: __, version: ___, err, ...fields } = JSON.parse(line)
  const beginning = `${new Date(time).toLocaleTimeString('en-GB')} ${(levels[level] ?? String(level)).padEnd(5)} ${msg ?? ''}`
  const fieldTexts = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${toPrintable([beginning, ...fieldTexts].join('  '))}\n${err === undefined ? '' : toStack(err)}`
}

function toStack({ stack, message }: SerializedError): string {
  const lines = (stack ?? message ?? '').split('\n')
  return lines.map((line) => `    ${toPrintable(line)}\n`).join('')
}
