import { setTimeout as pause } from 'node:timers/promises'
import type { AuditSink } from '../../adapters/audit-sink.ts'
import { findSetting, findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { newId } from '../../lib/ids.ts'
import { readEvents } from './list-audit.ts'
import { AUDIT_CHANNEL, AUDIT_HEAD, headOf } from './record.ts'

type Deps = Pick<AppDeps, 'db' | 'clock' | 'transaction' | 'signals' | 'log'>

/** Setting with the position of the last sent event, and the server that sends at the moment and until when. */
const SENT = 'audit_sent'
/** Events per delivery. */
const BATCH = 200
/** Seconds after which another server may send, because this one is dead or stuck; longer than a delivery takes. */
const LEASE = 30
/** Milliseconds between two looks for events whose signal was lost. */
const POLL = 5000
/** Milliseconds after a failed delivery: doubled up to the longest. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 60_000

/** Position of the last event that the sink has accepted; undefined while no sink has ever been set. */
export async function findSentPosition(db: AppDeps['db']): Promise<number | undefined> {
  const setting = await findSetting(db, SENT)
  return setting === undefined ? undefined : parse(setting).position
}

/**
 * Sends each event to the sink, in order, at least once: one server at a time sends, remembers how far it got, and repeats what
 * was not accepted, also after a restart or the end of another server (operators §3).
 */
export function startSendingEvents(app: Deps, sink: AuditSink): { stop(): Promise<void>; sendDue(): Promise<void> } {
  const stopping = new AbortController()
  const owner = newId(app.clock)
  let wait = FIRST_PAUSE
  let round: Promise<void> | undefined
  let again = false

  async function rounds(): Promise<void> {
    try {
      do {
        again = false
        await sendAll(app, sink, owner, stopping.signal)
        wait = FIRST_PAUSE
      } while (again && !stopping.signal.aborted)
    } finally {
      // At once, so that no caller joins a round that reads no further events.
      round = undefined
    }
  }

  function wake(): Promise<void> {
    again = true
    round ??= rounds()
    return round
  }

  const inBackground = () => {
    again = true
    // The caller that began the round repeats it when it fails.
    if (round) return
    void wake().catch(async (err: unknown) => {
      if (stopping.signal.aborted) return
      app.log.warn({ err }, 'events of the audit log could not be sent; they are sent again')
      const delay = wait
      wait = Math.min(LONGEST_PAUSE, wait * 2)
      await pause(delay, undefined, { signal: stopping.signal, ref: false }).then(inBackground, () => {})
    })
  }

  const stopListening = app.signals.on(AUDIT_CHANNEL, () => {
    // While a delivery has failed, only its own repetition tries again.
    if (wait === FIRST_PAUSE) inBackground()
  })
  const timer = setInterval(() => {
    if (wait === FIRST_PAUSE) inBackground()
  }, POLL).unref()
  inBackground()
  return {
    sendDue: wake,
    async stop() {
      stopListening()
      clearInterval(timer)
      stopping.abort()
      await round?.catch(() => {})
    },
  }
}

/** Sends what is due, unless another server does. */
async function sendAll(app: Deps, sink: AuditSink, owner: string, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const head = headOf(await findSetting(app.db, AUDIT_HEAD)).position
    const sent = parse(await findSetting(app.db, SENT)).position
    if (head <= sent) return
    const from = await claim(app, owner)
    if (from === undefined) return
    const { events, last } = await readEvents(app.db, from, BATCH)
    try {
      if (events.length > 0) await sink.send(events.map((event) => `${JSON.stringify(event)}\n`).join(''), signal)
    } catch (error) {
      await savePosition(app, owner, from)
      throw error
    }
    await savePosition(app, owner, last ?? from)
    more = events.length > 0
  }
}

/** Takes the right to send for a while. Returns the position after which to send; undefined while another server has it. */
async function claim(app: Deps, owner: string): Promise<number | undefined> {
  return await app.transaction(async ({ db }) => {
    await insertSetting(db, SENT, '0')
    const held = parse(await findSettingForUpdate(db, SENT))
    const now = app.clock.now()
    if (held.owner !== undefined && held.owner !== owner && held.until > toTime(now)) return undefined
    await upsertSetting(db, SENT, `${held.position} ${owner} ${timeAfter(now, LEASE)}`)
    return held.position
  })
}

/** Remembers the position and gives the right back. A server that has lost it meanwhile changes nothing. */
async function savePosition(app: Deps, owner: string, position: number): Promise<void> {
  await app.transaction(async ({ db }) => {
    const held = parse(await findSettingForUpdate(db, SENT))
    if (held.owner === owner) await upsertSetting(db, SENT, String(position))
  })
}

function parse(setting: string | undefined): { position: number; owner: string | undefined; until: string } {
  const [position = '0', owner, until = ''] = (setting ?? '0').split(' ')
  return { position: Number(position), owner, until }
}
