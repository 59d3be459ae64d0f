import { useEffect, useState } from 'react'

/** Milliseconds; protects against clickjacking and double clicks (design §7.3). */
const DELAY = 500

/** False for half a second after the page appears or regains focus, then true. */
export function useActivationDelay(): boolean {
  const [active, setActive] = useState(false)

  useEffect(() => {
    let timer = setTimeout(() => setActive(true), DELAY)
    function restart() {
      setActive(false)
      clearTimeout(timer)
      timer = setTimeout(() => setActive(true), DELAY)
    }
    function seen() {
      if (document.visibilityState === 'visible') restart()
    }
    addEventListener('focus', restart)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', restart)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])

  return active
}
