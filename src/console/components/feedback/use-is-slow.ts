import { useEffect, useState } from 'react'

const slowMs = 300

/** Whether the write has run long enough for its button to show a spinner. */
export function useIsSlow(isRunning: boolean): boolean {
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
