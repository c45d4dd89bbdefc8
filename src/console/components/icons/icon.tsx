import type { ReactNode } from 'react'

export type IconProps = {
  /** Pixels; drawn on a grid of 20. */
  size?: number
}

/** Line icons in one style: a grid of 20, strokes of 1.5. They are never the only sign, so they have no accessible name. */
export function drawIcon(paths: ReactNode) {
  return function Icon({ size = 18 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {paths}
      </svg>
    )
  }
}
