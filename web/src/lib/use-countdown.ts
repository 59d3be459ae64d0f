import { useEffect, useState } from 'react'
import { useI18n } from './i18n.tsx'

/** Whole seconds until a moment (milliseconds since 1970); 0 afterwards. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(useI18n().format.now)
  const left = Math.max(0, Math.ceil((until - now) / 1000))

  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return left
}
