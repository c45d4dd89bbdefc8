import { useEffect, useState } from 'react'

const slowMs = 300

/** Whether what runs has run for so long that its button says so. A quick answer shows no spinner. */
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
