import type { ServerEvent, ServerEvents } from '@vrata/contract'
import type { Store } from '../../db/open.ts'

/** A Socket.IO room, across all nodes. `browser`: a browser that shows QR codes. */
export type Room = `${'user' | 'session' | 'developer' | 'browser'}:${string}`

type EventMessage = {
  [E in ServerEvent]: Parameters<ServerEvents[E]> extends [infer What] ? { event: E; what: What } : { event: E }
}[ServerEvent]

/** A message for open sockets; messages are delivered in order. */
export type RealtimeMessage =
  | (EventMessage & { to: Room | 'everybody' })
  /** Sessions that have ended: their sockets receive `session:ended` and are closed. */
  | { end: readonly string[] }
  /** Sessions of the user in this room have ended: their sockets are found and closed like those. */
  | { check: Room }
  /** The organizations of the users in this room may have changed. */
  | { rejoin: Room }

/** Sends events to open pages. Called after the commit of the change. */
export interface Realtime {
  publish(messages: readonly RealtimeMessage[]): Promise<void>
  /** Ends the pause, and resolves when everything that has been published is sent; before the database is closed. */
  sent(): Promise<void>
}

/** The signal channel between nodes. */
export const REALTIME_CHANNEL = 'realtime'

/** A PostgreSQL notification has at most 8000 bytes, including the envelope. */
const MOST_BYTES = 6000
const MOST_SESSIONS = 100

/** Milliseconds between a signal and the next one. */
const PAUSE = 100

/** Messages that are sent together. */
type Batch = { messages: RealtimeMessage[]; sent: Promise<void> }

/**
 * Sends messages as signals of the database; every node, including this one, delivers them to its sockets. The first is sent at once; what is
 * published while it is sent and in the pause after it is the next one, because each is a transaction of PostgreSQL, which wakes every node
 * (decision 0048).
 */
export function realtime(signals: Pick<Store['signals'], 'announce'>, { pause = PAUSE } = {}): Realtime {
  let endPause = () => {}
  let collecting: Batch | undefined
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> = last
  const send = async (messages: RealtimeMessage[]) => {
    for (const payload of payloads(messages)) await signals.announce(REALTIME_CHANNEL, payload)
  }
  const untilPauseEnds = () =>
    new Promise<void>((resolve) => {
      endPause = resolve
      setTimeout(resolve, pause).unref()
    })
  const begin = (): Batch => {
    const messages: RealtimeMessage[] = []
    const sent = next.then(() => {
      collecting = undefined
      return send(messages)
    })
    last = sent.catch(() => {})
    next = last.then(untilPauseEnds)
    return { messages, sent }
  }
  return {
    publish(messages) {
      collecting ??= begin()
      collecting.messages.push(...messages)
      return collecting.sent
    },
    async sent() {
      endPause()
      await last
    },
  }
}

/** Messages as JSON payloads that fit into a signal. */
export function payloads(messages: readonly RealtimeMessage[]): string[] {
  const texts: string[] = []
  let pending: string[] = []
  let bytes = 0
  for (const one of messages.flatMap(inParts)) {
    const text = JSON.stringify(one)
    if (bytes + text.length > MOST_BYTES) {
      texts.push(`[${pending}]`)
      pending = []
      bytes = 0
    }
    pending.push(text)
    bytes += text.length + 1
  }
  return pending.length ? [...texts, `[${pending}]`] : texts
}

function inParts(one: RealtimeMessage): RealtimeMessage[] {
  if (!('end' in one)) return [one]
  const parts: RealtimeMessage[] = []
  for (let at = 0; at < one.end.length; at += MOST_SESSIONS) parts.push({ end: one.end.slice(at, at + MOST_SESSIONS) })
  return parts
}
