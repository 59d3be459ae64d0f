import { randomInt } from 'node:crypto'
import { type AnswerOf, type InputOf, LIFETIMES, problem, type qr } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { OpenDeps } from '../../deps.ts'
import type { Person, Visitor } from '../../edge/actors.ts'
import { isFresh } from '../../edge/fence.ts'
import { hashToken, newShortToken, newToken } from '../../ports/ids.ts'
import { placeIn } from '../../ports/places.ts'
import { qrCode } from '../../ports/qr.ts'
import { findUser, lockUser } from '../account/door.ts'
import { enter } from './enter.ts'
import * as store from './qr-store.ts'
import { readSession } from './session.ts'

/** Wrong numbers that one code bears; who does not read the other screen guesses right in 3 of 90 cases at most. */
const TRIES = 3

type Answer = AnswerOf<typeof qr.readQrCode>

/** api.md §2: GET /auth/qr-code. Worth nothing without this browser's cookie (decision 0131). */
export async function drawQrCode(open: OpenDeps, visitor: Visitor): Promise<AnswerOf<typeof qr.drawQrCode>> {
  if (!open.config.qr_sign_in) throw problem('not_found')
  const code = newShortToken()
  const match = String(randomInt(10, 100))
  const now = open.clock.now()
  const expires_at = timeAfter(now, LIFETIMES.qr_code)
  const location = await open.places.find(visitor.ip)
  const browser = visitor.cookies.read('qr') ?? newToken()
  visitor.cookies.write('qr', browser)
  await open.transaction(({ db }) =>
    store.insertQrCode(db, {
      code_hash: hashToken(code),
      browser_hash: hashToken(browser),
      match,
      tries: 0,
      state: 'pending',
      user_id: null,
      os: visitor.os,
      browser: visitor.browser,
      ip: visitor.ip,
      location,
      created_at: toTime(now),
      expires_at,
    }),
  )
  const url = `${open.config.url}/qr-code/${code}`
  return { code, url, expires_at, match, qr_code: qrCode(url) }
}

/** api.md §2: GET /auth/qr-code/{code}. The same address means one thing where the code is shown, and another on the phone. */
export async function readQrCode(open: OpenDeps, visitor: Visitor, { code }: InputOf<typeof qr.readQrCode>) {
  const row = await store.findQrCode(open.db, hashToken(code))
  if (row && row.browser_hash === browserHash(visitor)) return await asWaiting(open, visitor, row)
  const access = visitor.cookies.read('access')
  const person = access ? await readSession(open, access) : undefined
  if (!person) throw problem('unauthenticated')
  if (!row || !open.config.qr_sign_in) throw problem('not_found')
  return await asPhone(open, { ...visitor, ...person, locale: visitor.locale }, row)
}

/** The browser that shows it. What was approved is collected once, and signs it in. */
async function asWaiting(open: OpenDeps, visitor: Visitor, row: store.QrCode): Promise<Answer> {
  const state = stateOf(open, row)
  if (row.state === 'used') return { state: 'expired' }
  if (state !== 'approved') return { state }
  const { code_hash, browser_hash } = row
  return await open.transaction(async (deps) => {
    // The person first: whoever changes their password has them, and then voids the code.
    const owner = row.user_id === null ? undefined : await lockUser(deps.db, row.user_id)
    const user_id = await store.collectQrCode(deps.db, { code_hash, browser_hash, now: toTime(deps.clock.now()) })
    const user = user_id === owner?.id ? owner : undefined
    if (!user?.allow_qr_sign_in || !deps.config.qr_sign_in) return { state: 'expired' }
    if (user.disabled_at !== null) throw problem('account_disabled')
    return { state, user: await enter(deps, visitor, user, 'LOGGED_IN', ['qr']) }
  })
}

/** A phone sees who is asking. The first account that looks is the only one that can answer. */
async function asPhone(open: OpenDeps, actor: Person, row: store.QrCode): Promise<Answer> {
  const user = await findUser(open.db, actor.user_id)
  if (!user?.allow_qr_sign_in) throw problem('qr_sign_in_off')
  if (row.state === 'pending' && stateOf(open, row) === 'pending') {
    const seen = await open.transaction(async (deps) => {
      const first = await store.seeQrCode(deps.db, phoneOf(deps, actor, row.code_hash))
      if (first) await deps.tell('qr_code_changed', { browser_hash: row.browser_hash })
      return first
    })
    if (seen) return seenBy(actor, { ...row, state: 'seen' }, 'seen')
  }
  const now = await store.findQrCode(open.db, row.code_hash)
  if (!now || (now.user_id !== null && now.user_id !== actor.user_id)) throw problem('not_found')
  return seenBy(actor, now, stateOf(open, now))
}

function seenBy(actor: Person, row: store.QrCode, state: Answer['state']): Answer {
  const { os, browser, ip, created_at, expires_at } = row
  return {
    state,
    created_at,
    expires_at,
    requester: { os, browser, ip, location: placeIn(actor.locale, row.location) },
  }
}

/** api.md §2: POST /auth/qr-code/{code}. */
export async function answerQrCode(open: OpenDeps, actor: Person, input: InputOf<typeof qr.answerQrCode>) {
  const { code, approve, match } = input
  if (approve && !isFresh(open.clock, actor)) throw problem('reauthentication_required')
  if (approve && match === undefined) throw problem('invalid_request', { fields: { match: 'required' } })
  // A wrong number is refused only after its transaction: its try must stay counted.
  const verdict = await open.transaction(async (deps) => {
    const user = await lockUser(deps.db, actor.user_id)
    if (!user?.allow_qr_sign_in || !deps.config.qr_sign_in) throw problem('qr_sign_in_off')
    const phone = phoneOf(deps, actor, hashToken(code))
    if (!approve) return await told(deps, await store.denyQrCode(deps.db, phone), 'denied')
    const collect_until = timeAfter(deps.clock.now(), LIFETIMES.qr_collect)
    const approved = await store.approveQrCode(deps.db, phone, { match: match ?? '', collect_until })
    if (approved) return await told(deps, approved, 'approved')
    return await told(deps, await store.countWrongMatch(deps.db, phone, TRIES), 'wrong_match')
  })
  if (verdict === 'expired_code') throw problem('expired_code')
  if (verdict === 'wrong_match') throw problem('wrong_match', { fields: { match: 'wrong' } })
  return { state: verdict }
}

/** The screen that shows the code hears of it; without a code there is nothing to tell, but that it is too late. */
async function told<V extends string>(
  deps: Parameters<Parameters<OpenDeps['transaction']>[0]>[0],
  changed: Pick<store.QrCode, 'browser_hash'> | undefined,
  verdict: V,
): Promise<V | 'expired_code'> {
  if (!changed) return 'expired_code'
  await deps.tell('qr_code_changed', { browser_hash: changed.browser_hash })
  return verdict
}

/** Whether a browser shows a code that something can come of; for sockets of visitors. */
export async function browserWaits(open: OpenDeps, browser_hash: string): Promise<boolean> {
  return await store.browserWaits(open.db, browser_hash, toTime(open.clock.now()))
}

function phoneOf(deps: Pick<OpenDeps, 'clock'>, actor: Person, code_hash: string): store.Phone {
  return { code_hash, user_id: actor.user_id, browser_hash: browserHash(actor), now: toTime(deps.clock.now()) }
}

function browserHash(visitor: Visitor): string | null {
  const token = visitor.cookies.read('qr')
  return token ? hashToken(token) : null
}

function stateOf(deps: Pick<OpenDeps, 'clock'>, { state, expires_at }: store.QrCode): Answer['state'] {
  if (state === 'used') return 'approved'
  if (state === 'denied') return state
  return expires_at > toTime(deps.clock.now()) ? state : 'expired'
}
