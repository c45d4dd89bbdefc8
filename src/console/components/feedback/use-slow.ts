import { useEffect, useState } from 'react'

const slowMs = 300

/** Whether the write has run for so long that its button shows a spinner. A quick answer shows none. */
export function useSlow(isRunning: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isRunning])
  return isSlow
}
