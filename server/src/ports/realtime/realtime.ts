import type { ServerEvent, ServerEvents } from '@vrata/contract'
import type { Store } from '../../db/open.ts'

/** Who hears something: everybody in a room, on whichever node their socket is. `browser` shows QR codes. */
export type Room = `${'user' | 'session' | 'developer' | 'browser'}:${string}`

type Said = {
  [E in ServerEvent]: Parameters<ServerEvents[E]> extends [infer What] ? { event: E; what: What } : { event: E }
}[ServerEvent]

/** One thing for open sockets. They arrive in the order in which they were told. */
export type News =
  | (Said & { to: Room })
  /** These sessions have ended: their sockets are told so and closed. */
  | { end: readonly string[] }
  /** Whoever is in this room may belong to other organisations now. */
  | { rejoin: Room }

/** Tells open pages what to load anew. To be called once what it tells about is committed. */
export interface Realtime {
  tell(news: readonly News[]): Promise<void>
}

/** The channel between nodes on which news travel. */
export const REALTIME_CHANNEL = 'realtime'

/** PostgreSQL carries 8000 bytes at once, with everything around them. */
const MOST_BYTES = 6000
const MOST_SESSIONS = 100

/** Every node, this one too, hears it by the signals of the database, and delivers it to its own sockets. */
export function realtime(signals: Store['signals']): Realtime {
  return {
    async tell(news) {
      for (const payload of payloads(news)) await signals.announce(REALTIME_CHANNEL, payload)
    },
  }
}

/** News as texts that are short enough to travel. */
export function payloads(news: readonly News[]): string[] {
  const texts: string[] = []
  let waiting: string[] = []
  let bytes = 0
  for (const one of news.flatMap(inParts)) {
    const text = JSON.stringify(one)
    if (bytes + text.length > MOST_BYTES) {
      texts.push(`[${waiting}]`)
      waiting = []
      bytes = 0
    }
    waiting.push(text)
    bytes += text.length + 1
  }
  return waiting.length ? [...texts, `[${waiting}]`] : texts
}

function inParts(one: News): News[] {
  if (!('end' in one)) return [one]
  const parts: News[] = []
  for (let at = 0; at < one.end.length; at += MOST_SESSIONS) parts.push({ end: one.end.slice(at, at + MOST_SESSIONS) })
  return parts
}
