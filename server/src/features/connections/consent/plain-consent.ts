import { connections, isProblemCode, isRequestUid, type Locale, type ProblemCode, paths } from '@vrata/contract'
import { problemKey, type Translate, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { ServedForm } from '../../../http/pages/html-forms.ts'
import type { PlainContent, ServedPlainPage } from '../../../http/pages/plain-pages.ts'
import { serve } from '../../../http/serve.ts'
import { findUser } from '../../account/public.ts'
import { getConsent } from './consent.ts'
import { submitConsent } from './submit-consent.ts'

const PATH = '/authorize/:uid/consent/:client'

/** With the username or address of the account that answers. */
type PlainConsent = connections.Consent & { account: string | undefined }

/** The consent screen without script, to which the page with script redirects (`paths.plainConsent`). */
export const plainConsentPage: ServedPlainPage = {
  path: PATH,
  popup: true,
  served: serve(connections.getConsent, async (deps, actor, input): Promise<PlainConsent> => {
    const user = await findUser(deps.db, actor.user_id)
    const consent = await getConsent(deps, actor, input)
    return { ...consent, account: user?.username ?? user?.email }
  }),
  afterSignIn,
  show: (locale, answer, parameters, name) =>
    question(translator(locale, name), answer as PlainConsent, parameters.problem, afterSignIn(parameters)),
  fail,
}

export const plainConsentForm: ServedForm = {
  path: PATH,
  served: serve(connections.submitConsent, submitConsent),
  bodyOf: ({ uid, scopes = [], deny }) => ({
    uid,
    scopes: deny === undefined ? [scopes].flat() : [],
    ...(deny === undefined ? {} : { deny: true }),
  }),
  next: (_, answer) => (answer as { redirect_to?: string }).redirect_to ?? paths.home,
}

/** Where the request continues. */
function afterSignIn({ uid = '', client = '' }: Record<string, string>): string {
  return isRequestUid(uid) ? paths.plainConsent({ uid, client_id: client }) : paths.interaction(uid)
}

/** `back`: where the request continues after a sign-in with another account. */
function question(say: Translate, consent: PlainConsent, problem: string | undefined, back: string): PlainContent {
  const { client, redirect_host, request, account = '' } = consent
  const scopes = consent.scopes.toSorted((a, b) => Number(b.sensitive) - Number(a.sensitive))
  const app = client.name
  const text = (sentence: string) => escapeHtml(sentence)
  const facts = [
    ...(redirect_host ? [say('connections.host', { host: redirect_host })] : []),
    ...(client.claimed_name === null
      ? [
          say('connections.made_by', { organization: client.developer.name }),
          ...(client.verified ? [say('connections.consent.verified')] : []),
        ]
      : [
          say('connections.unregistered.claims', { name: client.claimed_name }),
          say('connections.unregistered.text', { host: client.name }),
        ]),
  ]
  if (!consent.access) return leftOut(consent, say)
  return {
    title: titleOf(consent, say),
    html: `${problem ? `<p role="alert">${text(say(problemKey(isProblemCode(problem) ? problem : 'internal'), { of: 'connections' }))}</p>` : ''}
<p>${facts.map(text).join('<br>')}</p>
<p>${text(say('connections.signed_in_as'))} <b>${text(account)}</b><br>
<a href="${escapeHtml(paths.sessionEnded(back))}">${text(say('connections.change_account'))}</a></p>${request ? openRequest(request, app, say) : ''}
<form method="post">
${scopes.length ? `<fieldset><legend>${text(say('connections.app.may'))}</legend>${scopes.map((scope) => choice(scope, say)).join('')}</fieldset>` : ''}
<p>${[text(say('connections.take_back')), ...policiesOf(client, say)].join('<br>')}</p>
<div class="decision"><button value>${text(say('connections.allow'))}</button>
<button name="deny">${text(say(request ? 'device.deny' : 'ui.cancel'))}</button></div>
</form>`,
  }
}

/** Whom to ask, for a user who may not use the app; the request can only be denied. */
function leftOut({ client: { name: app, developer } }: connections.Consent, say: Translate): PlainContent {
  const sentences = [
    say('connections.error.no_access.text'),
    say('connections.no_access.ask', { app, organization: developer.name }),
  ]
  return {
    title: say('connections.error.no_access.title'),
    html: `<p>${sentences.map((sentence) => escapeHtml(sentence)).join('<br>')}</p>
<form method="post"><button name="deny">${escapeHtml(say('connections.no_access.back', { app }))}</button></form>`,
  }
}

function titleOf({ client, request }: connections.Consent, say: Translate): string {
  if (request) return say('app-requests.title', { app: client.name })
  if (client.claimed_name !== null) return say('connections.unregistered.title', { host: client.name })
  return say('connections.title', { app: client.name })
}

/** Links to the privacy policy and the terms of service, if the app has them. */
function policiesOf(client: connections.ClientCard, say: Translate): string[] {
  return (['privacy_policy', 'terms_of_service'] as const).flatMap((name) => {
    const url = client[`${name}_url`]
    if (url === null) return []
    return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${escapeHtml(say(`ui.${name}`))}</a>`
  })
}

/** The request of an app that does not wait in this browser (OpenID Connect CIBA Core §7.1). */
function openRequest({ binding_message, expires_in }: connections.OpenRequest, app: string, say: Translate): string {
  const minutes = Math.max(1, Math.ceil(expires_in / 60))
  const message = binding_message
    ? `<p>${escapeHtml(say('app-requests.message', { app }))}<br><b>${escapeHtml(binding_message)}</b></p>`
    : ''
  return `${message}
<p>${escapeHtml(say('app-requests.warning', { app }))}</p>
<p>${escapeHtml(say('app-requests.minutes_left', { count: minutes }))}</p>`
}

/** A disabled field is not submitted, so a required scope is a hidden field, too. */
function choice(scope: connections.Consent['scopes'][number], say: Translate): string {
  const { key, title, description, granted, required, sensitive } = scope
  const name = `name="scopes" value="${escapeHtml(key)}"`
  const checked = required || granted || !sensitive ? ' checked' : ''
  return `<label>${required ? `<input type="hidden" ${name}><input type="checkbox" checked disabled>` : `<input type="checkbox" ${name}${checked}>`}
<span><b>${escapeHtml(title)}${sensitive ? ` · ${escapeHtml(say('connections.sensitive'))}` : ''}</b><br>${escapeHtml(description)}</span></label>`
}

const FAILURES: Partial<
  Record<
    ProblemCode,
    'request_expired' | 'client_disabled' | 'client_not_approved' | 'unknown_scope' | 'user_blocked' | 'no_access'
  >
> = {
  // The request was answered before, or belongs to another session.
  not_found: 'request_expired',
  client_disabled: 'client_disabled',
  client_not_approved: 'client_not_approved',
  unknown_scope: 'unknown_scope',
  user_blocked: 'user_blocked',
  no_access: 'no_access',
}

function fail(locale: Locale, problem: ProblemCode): PlainContent {
  const say = translator(locale)
  const error = FAILURES[problem] ?? 'server_error'
  return {
    title: say(`connections.error.${error}.title`),
    html: `<p>${escapeHtml(say(`connections.error.${error}.text`))}</p>`,
  }
}
