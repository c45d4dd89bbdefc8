import type { ReactNode } from 'react'

export type IconProps = {
  /** The width and height in pixels. The paths are drawn on a grid of 20 by 20. */
  size?: number
}

/**
 * Creates an icon component from paths on a grid of 20 by 20, drawn with strokes of 1.5. Icons have no accessible name, because
 * a text or a label beside them always says the same.
 */
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
