import { chmodSync, existsSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The library of Debian's package `faketime`; undefined if the package is not installed. */
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
export const hasFaketime = library !== undefined && existsSync(library)

/** A clock that goes as fast as the real one, and can be set while processes use it. */
export class FakeClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'entitlements-clock-'))
  readonly #file = join(this.#folder, 'offset')
  #offsetMs = 0

  constructor(now: Date) {
    // The database runs as another user.
    chmodSync(this.#folder, 0o755)
    this.set(now)
  }

  /** The variables that make a process use this clock; waits take as long as usual. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  get now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  set(now: Date): void {
    this.#offsetMs = now.getTime() - Date.now()
    const next = `${this.#file}-next`
    writeFileSync(next, `${this.#offsetMs < 0 ? '-' : '+'}${(Math.abs(this.#offsetMs) / 1000).toFixed(3)}\n`, {
      mode: 0o644,
    })
    renameSync(next, this.#file)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** When the month of this moment ends (UTC). */
export function endOfMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1))
}
