import { useEffect, useState } from 'react'

/** In milliseconds: long enough to see what one is about to press (clickjacking, double clicks; design.md §7). */
const SETTLE = 500

/** False for half a second after the page appears or gets the focus back, then true. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false)

  useEffect(() => {
    let timer = setTimeout(() => setSettled(true), SETTLE)
    function begin() {
      setSettled(false)
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(true), SETTLE)
    }
    function seen() {
      if (document.visibilityState === 'visible') begin()
    }
    addEventListener('focus', begin)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', begin)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])

  return settled
}
