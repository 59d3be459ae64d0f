import { signIn } from '@vrata/contract'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type AppContext, useAppContext } from '../../../lib/app-context.tsx'
import type { RealtimeSocket } from '../../../lib/realtime/socket.ts'
import { whenVisible } from '../../../lib/when-visible.ts'
import { useCompleteSignIn } from '../use-complete-sign-in.ts'

/** Number of codes drawn automatically before the user must ask (design §7.1). */
const MAX_REDRAWS = 5
/** Milliseconds between checks, without and with a connected socket. */
const POLL_INTERVAL = { alone: 2500, connected: 15_000 }

export type QrSignInState =
  | { is: 'loading' }
  | { is: 'pending' | 'seen'; code: string; match: string; picture: string; until: number }
  /** Stopped until the user asks for a new code. */
  | { is: 'denied' | 'paused' | 'failed' }
  /** Disabled by the operator. */
  | { is: 'off' }

/** Draws QR codes while the page is visible, polls the current one, and signs in when it is approved. */
export function useQrSignIn(): { shown: QrSignInState; draw(): void } {
  const context = useAppContext()
  const { api, apiBase } = context
  const signedIn = useCompleteSignIn()
  const [shown, setShown] = useState<QrSignInState>({ is: 'loading' })
  const drawCount = useRef(0)

  const draw = useCallback(async () => {
    const answer = await api(signIn.createQrCode)
    if (!answer.ok) return setShown({ is: answer.http === 404 ? 'off' : 'failed' })
    const { code, match, qr_code: picture } = answer.data
    // Measured by this clock, because the clocks of server and browser may differ.
    setShown({ is: 'pending', code, match, picture, until: Date.now() + LIFETIMES.qr_code * 1000 })
  }, [api])

  const drawAgain = useCallback(() => {
    drawCount.current += 1
    if (drawCount.current > MAX_REDRAWS) return setShown({ is: 'paused' })
    void whenVisible().then(draw)
  }, [draw])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per visit
  useEffect(() => void whenVisible().then(draw), [])

  const code = 'code' in shown ? shown.code : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: one subscription per code
  useEffect(() => {
    if (!code) return
    let stopped = false
    let busy = false
    let connected = false
    let socket: RealtimeSocket | undefined
    let timer: ReturnType<typeof setTimeout>

    async function poll() {
      clearTimeout(timer)
      if (busy || stopped) return
      busy = true
      const answer = document.hidden ? undefined : await api(signIn.getQrCode, { code: code ?? '' })
      busy = false
      if (stopped) return
      timer = setTimeout(poll, connected ? POLL_INTERVAL.connected : POLL_INTERVAL.alone)
      if (!answer) return
      // The browser has no cookie of the code any more.
      if (!answer.ok) return answer.http === 401 || answer.http === 404 ? drawAgain() : undefined
      const { state, user } = answer.data
      if (state === 'seen') setShown((now) => ('code' in now ? { ...now, is: 'seen' } : now))
      else if (state === 'denied') setShown({ is: 'denied' })
      else if (state === 'expired') drawAgain()
      else if (state === 'approved' && user) {
        stopped = true
        await signedIn({ user })
      }
    }

    timer = setTimeout(poll, POLL_INTERVAL.alone)
    document.addEventListener('visibilitychange', poll)
    const load = async () => {
      // If the code of the page cannot be loaded, the page keeps polling.
      const file = await import('../../../lib/realtime/socket.ts').catch(() => undefined)
      if (!file || stopped) return
      const { openSocket } = file
      socket = openSocket({
        base: apiBase,
        on: { 'qr:changed': () => void poll(), 'policy:changed': () => void followPolicy(context) },
        onConnect: () => {
          connected = true
          void poll()
        },
        onDisconnect: () => {
          connected = false
        },
      })
    }
    void load()
    return () => {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', poll)
      socket?.close()
    }
  }, [code])

  // Replaces an expired code even without a message from the server.
  const until = 'until' in shown ? shown.until : undefined
  useEffect(() => {
    if (until === undefined) return
    const timer = setTimeout(drawAgain, until - Date.now())
    return () => clearTimeout(timer)
  }, [until, drawAgain])

  return {
    shown,
    draw: () => {
      drawCount.current = 0
      void draw()
    },
  }
}

/** Loads the code for it when it is needed: a policy seldom changes. */
async function followPolicy(context: AppContext): Promise<void> {
  const { reloadPolicy } = await import('../../../lib/reload-policy.ts')
  await reloadPolicy(context)
}
