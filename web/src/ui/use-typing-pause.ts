import { useEffect, useRef } from 'react'

/** Milliseconds without a key after which a text is searched or validated. */
const PAUSE = 250

/** Returns a function that runs the last of its calls after a pause in typing; without a function it only stops a waiting one. */
export function useTypingPause(): (run?: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (run) => {
    clearTimeout(timer.current)
    if (run) timer.current = setTimeout(run, PAUSE)
  }
}
