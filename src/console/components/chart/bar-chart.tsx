import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import classes from './bar-chart.module.css'

/** How a part of a bar is drawn: the styles can be told apart without color. */
type BarStyle = 'filled' | 'today' | 'hatched' | 'dashed'

export type Bar = {
  /** What the bar stands for, such as a day. */
  name: string
  /** Its values, for the tooltip and for screen readers. */
  words: string
  /** The parts of the bar, from bottom to top. */
  parts: readonly { value: number; look: BarStyle }[]
  /** The label below the bar; not every bar needs one. */
  tick?: string
}

type Props = {
  label: string
  bars: readonly Bar[]
  /** A dashed line across the bars, unless it lies far above all of them and would flatten them. */
  line?: { value: number; words(value: string): string } | null
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/**
 * Bars side by side. The values of one bar are shown while the pointer is over it, after a tap, and as the arrow keys move from
 * bar to bar; screen readers have a list of all values.
 */
export function BarChart({ label, bars, line = null }: Props) {
  const tallest = Math.max(1, ...bars.map(totalOf))
  const hasLine = line !== null && line.value > 0 && line.value <= tallest * 3
  const top = hasLine ? Math.max(tallest, line.value * 1.05) : tallest
  const height = (value: number) => `${(value / top) * 100}%`
  const { shown, target } = useShownBar(label, bars)

  return (
    <div>
      <div className={classes.scale} aria-hidden="true">
        <span>{compact.format(Math.round(top))}</span>
        {hasLine && <span className={classes.lineWords}>- - {line.words(compact.format(Math.round(line.value)))}</span>}
      </div>
      <div className={classes.plot} {...target}>
        {hasLine && <div className={classes.line} style={{ bottom: height(line.value) }} />}
        <div className={classes.bars}>
          {bars.map(({ name, parts }, index) => (
            <div key={name} className={classes.bar} data-shown={index === shown || undefined}>
              {parts
                .filter(({ value }) => value > 0)
                .toReversed()
                .map(({ value, look }) => (
                  <span
                    key={look}
                    className={classes[look]}
                    style={{ height: height(value) }}
                    data-drawn={look === 'filled' || look === 'today' || undefined}
                  />
                ))}
            </div>
          ))}
        </div>
        {shown !== null && <BarTooltip bar={bars[shown] as Bar} at={(shown + 0.5) / bars.length} />}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {bars.map(({ name, tick }) => (
          <span key={name}>{tick}</span>
        ))}
      </div>
      <VisuallyHidden component="ol" aria-label={label}>
        {bars.map(({ name, words }) => (
          <li key={name}>
            {name}: {words}
          </li>
        ))}
      </VisuallyHidden>
    </div>
  )
}

function totalOf({ parts }: Bar): number {
  return parts.reduce((sum, { value }) => sum + value, 0)
}

/** A tooltip at 30% of the plot's width starts 30% of its own width further left, so that it never leaves the plot. */
function BarTooltip({ bar: { name, words }, at }: { bar: Bar; at: number }) {
  const share = `${at * 100}%`
  return (
    <div className={classes.tooltip} style={{ left: share, transform: `translateX(-${share})` }} role="presentation">
      <strong>{name}</strong> {words}
    </div>
  )
}

/** The bar whose values are shown, and the attributes of the element that shows them on hover, tap and arrow keys. */
function useShownBar(label: string, bars: readonly Bar[]) {
  const [shown, setShown] = useState<number | null>(null)
  const lastFilled = Math.max(
    0,
    bars.findLastIndex((bar) => bar.parts.some(({ value, look }) => value > 0 && look !== 'dashed')),
  )
  const at = shown ?? lastFilled

  function showBarAtPointer({ clientX, currentTarget }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * bars.length)
    setShown(Math.min(Math.max(index, 0), bars.length - 1))
  }

  function moveByKey(event: KeyboardEvent): void {
    const indexByKey = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: bars.length - 1,
    }
    const next = indexByKey[event.key as keyof typeof indexByKey]
    if (event.key === 'Escape') setShown(null)
    if (next === undefined) return
    event.preventDefault()
    setShown(Math.min(Math.max(next, 0), bars.length - 1))
  }

  const target = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': `${label}: the arrow keys move from bar to bar`,
    'aria-readonly': true,
    'aria-valuemin': 1,
    'aria-valuemax': bars.length,
    'aria-valuenow': at + 1,
    'aria-valuetext': `${bars[at]?.name}: ${bars[at]?.words}`,
    // Escape hides the tooltip first, and then closes the drawer around the chart.
    'data-mantine-stop-propagation': shown !== null,
    onPointerMove: showBarAtPointer,
    onPointerDown: showBarAtPointer,
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType !== 'touch' && document.activeElement !== event.currentTarget) setShown(null)
    },
    onFocus: () => setShown(at),
    onBlur: () => setShown(null),
    onKeyDown: moveByKey,
  } as const
  return { shown, target }
}
