import { qr } from '@vrata/contract'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OpenSocket } from '../../lib/socket.ts'
import { useWires } from '../../lib/wires.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Codes drawn by themselves before somebody must ask for one (design.md §7). */
const REDRAWS = 5
/** Milliseconds between two looks; the socket makes them rare. */
const LOOK_EVERY = { alone: 2500, told: 15_000 }

export type Shown =
  | { is: 'waiting' }
  | { is: 'pending' | 'seen'; code: string; match: string; picture: string; until: number }
  /** Nothing is drawn any more until somebody asks. */
  | { is: 'denied' | 'resting' | 'failed' }
  /** The operator wants none. */
  | { is: 'off' }

/** Draws codes while somebody is looking, follows the one that is shown, and signs this browser in when it is approved. */
export function useQrSignIn(): { shown: Shown; draw(): void } {
  const { api, apiBase } = useWires()
  const signedIn = useSignedIn()
  const [shown, setShown] = useState<Shown>({ is: 'waiting' })
  const drawn = useRef(0)

  const draw = useCallback(async () => {
    const answer = await api(qr.drawQrCode)
    if (!answer.ok) return setShown({ is: answer.http === 404 ? 'off' : 'failed' })
    const { code, match, qr_code: picture } = answer.data
    // By this clock: the browser's may be off.
    setShown({ is: 'pending', code, match, picture, until: Date.now() + LIFETIMES.qr_code * 1000 })
  }, [api])

  const drawAgain = useCallback(() => {
    drawn.current += 1
    if (drawn.current > REDRAWS) return setShown({ is: 'resting' })
    void whenVisible().then(draw)
  }, [draw])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit
  useEffect(() => void whenVisible().then(draw), [])

  const code = 'code' in shown ? shown.code : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: one code, one watch
  useEffect(() => {
    if (!code) return
    let over = false
    let busy = false
    let told = false
    let socket: OpenSocket | undefined
    let timer: ReturnType<typeof setTimeout>

    async function look() {
      clearTimeout(timer)
      if (busy || over) return
      busy = true
      const answer = document.hidden ? undefined : await api(qr.readQrCode, { code: code ?? '' })
      busy = false
      if (over) return
      timer = setTimeout(look, told ? LOOK_EVERY.told : LOOK_EVERY.alone)
      if (!answer) return
      // Its cookie is gone: nothing can come of it.
      if (!answer.ok) return answer.http === 401 || answer.http === 404 ? drawAgain() : undefined
      const { state, user } = answer.data
      if (state === 'seen') setShown((now) => ('code' in now ? { ...now, is: 'seen' } : now))
      else if (state === 'denied') setShown({ is: 'denied' })
      else if (state === 'expired') drawAgain()
      else if (state === 'approved' && user) {
        over = true
        await signedIn({ user })
      }
    }

    timer = setTimeout(look, LOOK_EVERY.alone)
    document.addEventListener('visibilitychange', look)
    void import('../../lib/socket.ts').then(({ openSocket }) => {
      if (over) return
      socket = openSocket({
        base: apiBase,
        on: { 'qr:changed': () => void look() },
        onOpen: () => {
          told = true
          void look()
        },
        onLost: () => {
          told = false
        },
      })
    })
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      socket?.close()
    }
  }, [code])

  // Time is up, whoever may have been told or not.
  const until = 'until' in shown ? shown.until : undefined
  useEffect(() => {
    if (until === undefined) return
    const timer = setTimeout(drawAgain, until - Date.now())
    return () => clearTimeout(timer)
  }, [until, drawAgain])

  return {
    shown,
    draw: () => {
      drawn.current = 0
      void draw()
    },
  }
}

/** Nobody looks at a page behind others: a code drawn there is drawn for nobody. */
function whenVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
  })
}
