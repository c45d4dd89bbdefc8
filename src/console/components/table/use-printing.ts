import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is being printed. Tables then render all rows. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser prints what is rendered when this returns.
    const toggle = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'))
    window.addEventListener('beforeprint', toggle)
    window.addEventListener('afterprint', toggle)
    return () => {
      window.removeEventListener('beforeprint', toggle)
      window.removeEventListener('afterprint', toggle)
    }
  }, [])
  return isPrinting
}
