// Loaded into a process of the service before anything else: sets Date to the time of a machine with a wrong clock.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...parts: [] | [number]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs)
    else super(...parts)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = WrongDate as DateConstructor
