import type { KoaContextWithOIDC } from 'oidc-provider'
import { isReferenceViolation } from '../db/dialect.ts'
import { CookieJar, cookieName } from '../edge/session-cookie.ts'
import { UNUSED_COOKIE } from './cookies.ts'
import { introspectionOf } from './reads.ts'
import { EndedMeanwhile, errorPage, PAGES, ShownTwice, SpentTwice } from './refusals.ts'
import { leaveAtOnce } from './sign-out.ts'
import { endFamily } from './token-adapter.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'

/**
 * Stands around the engine: lets it answer, then writes everything that the answer promises in one transaction, and
 * only then lets it leave. Cookies are ours to set (decision 0061).
 */
export async function finish(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const unit = unitOfWork()
  await next()
  keepOwnCookies(ctx, unit)
  await sayOfToken(ctx, unit)
  nameGrantError(ctx)
  leaveAtOnce(ctx)
  await noteRefusal(unit)
  // Libraries would stumble at the type of an answer that says nothing (RFC 7009 §2.2).
  if (ctx.body === '') ctx.remove('content-type')
  if (unit.unavailable) return tryLater(ctx)
  try {
    await unit.commit()
  } catch (error) {
    await undo(ctx, unit, error)
  }
}

/** The standard has a name of its own for an app that asks in a way not meant for it (RFC 6749 §5.2). */
function nameGrantError(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { error?: string; error_description?: string } | undefined
  if (ctx.status !== 400 || body?.error !== 'invalid_request') return
  if (/grant type is not allowed|_code is not allowed/.test(body.error_description ?? '')) {
    ctx.body = { ...body, error: 'unauthorized_client' }
  }
}

/** The engine has found out who asks; what they may hear of the token is the same as for those whom we know ourselves. */
async function sayOfToken(ctx: KoaContextWithOIDC, unit: Unit): Promise<void> {
  const { route, client, params } = ctx.oidc ?? {}
  if (route !== 'introspection' || !client) return
  // It does so before it refuses to look at a JWT, which we do.
  const { error } = ctx.body as { error?: string }
  if (ctx.status !== 200 && error !== 'unsupported_token_type') return
  ctx.status = 200
  ctx.body = await introspectionOf(unit.deps, unit.start.published, String(params?.token), client.clientId)
}

/** For an app that exists: whoever refuses an unknown one has nobody to tell. */
async function noteRefusal({ refused, start }: Unit): Promise<void> {
  if (refused && (await start.clients.find(refused.client_id))) await start.refusals.note(refused)
}

async function undo(ctx: KoaContextWithOIDC, unit: Unit, failure: unknown): Promise<void> {
  ctx.response.remove('set-cookie')
  // What the answer would have hung on, the app itself perhaps, went while it was made.
  const error = isReferenceViolation(failure) ? new EndedMeanwhile() : failure
  if (error instanceof SpentTwice || error instanceof EndedMeanwhile) {
    // Whoever spends a second time may have stolen it: what the first one was given ends, too (RFC 9700 §4.14.2).
    const { spending } = unit
    if (error instanceof SpentTwice && spending) {
      await unit.deps.transaction((deps) => endFamily(deps, spending)).catch((reason) => unit.failed(reason))
    }
    if (PAGES.has(ctx.oidc?.route ?? '')) return seeOther(ctx, errorPage('request_expired'))
    ctx.status = 400
    ctx.body = { error: 'invalid_grant', error_description: error.error_description }
    return
  }
  if (error instanceof ShownTwice) {
    if (PAGES.has(ctx.oidc?.route ?? '')) return seeOther(ctx, errorPage('request_expired'))
    ctx.status = 400
    ctx.body = { error: error.error, error_description: error.error_description }
    return
  }
  unit.failed(error)
  if (unit.unavailable) return tryLater(ctx)
  ctx.remove('location')
  ctx.status = 500
  ctx.body = { error: 'server_error', error_description: 'something went wrong on our side' }
}

/** The engine tries to set a session cookie with every answer; ours is set by sign-in and refresh alone. */
function keepOwnCookies(ctx: KoaContextWithOIDC, unit: Unit): void {
  const { config } = unit.deps
  const foreign = [`${cookieName(config, 'session')}=`, `${UNUSED_COOKIE}=`]
  const set = [ctx.response.headers['set-cookie'] ?? []].flat().map(String)
  const kept = set.filter((cookie) => !foreign.some((name) => cookie.startsWith(name)))
  if (unit.signedOut) {
    const jar = new CookieJar(config, undefined)
    jar.clear('session')
    jar.clear('access')
    kept.push(...jar.headers())
    // A browser that is signed out forgets the pages it kept, as after our own sign-out (edge/serve.ts).
    ctx.set('clear-site-data', '"cache"')
  }
  if (kept.length > 0) ctx.set('set-cookie', kept)
  else ctx.remove('set-cookie')
}

function tryLater(ctx: KoaContextWithOIDC): void {
  ctx.status = 503
  ctx.set('retry-after', '2')
  ctx.remove('location')
  ctx.body = { error: 'temporarily_unavailable', error_description: 'try again in a moment' }
}

function seeOther(ctx: KoaContextWithOIDC, path: string): void {
  ctx.status = 303
  ctx.redirect(path)
}
