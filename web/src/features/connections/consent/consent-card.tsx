import { useRouter } from '@tanstack/react-router'
import type { Consent } from '@vrata/contract/connections'
import * as connections from '@vrata/contract/connections'
import { paths } from '@vrata/contract/page-addresses'
import { type ReactNode, useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { notify, useAppContext } from '../../../lib/app-context.tsx'
import { ClientPolicies } from '../../../lib/client-policies.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { accountName } from '../../../ui/identity/account-card.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { RequestingDeviceFacts } from '../device/requesting-device.tsx'
import { type ConsentRequest, consentOf } from '../queries.ts'
import { OpenRequestFacts } from '../requests/open-request.tsx'
import { ConsentAccount } from './consent-account.tsx'
import { ConsentError, pageErrorOf } from './consent-error.tsx'
import { groupsOf } from './consent-groups.ts'
import { RequestedScope } from './requested-scope.tsx'
import { sharedValues } from './shared-values.ts'
import { useActivationDelay } from './use-activation-delay.ts'

type Props = {
  asking: ConsentRequest
  consent: Consent
  /** When the answer with `consent` arrived, in milliseconds since 1970 by the clock of the browser. */
  receivedAt: number
}

/** The request of an app with the choice to allow or deny it. The server returns where to continue. */
export function ConsentCard({ asking, consent, receivedAt }: Props) {
  const words = useI18n()
  const { t } = words
  const user = useUser()
  const { client, connected, scopes, redirect_host, device, request } = consent
  const active = useActivationDelay()
  const { decide, deciding, message, pageError, answered } = useDecision(asking)
  const [declined, setDeclined] = useState<ReadonlySet<string>>(
    () => new Set(scopes.filter(isDeclinedAtFirst).map(({ key }) => key)),
  )
  // One that was declined may have become required while the page was open.
  const isOn = ({ key, required }: Consent['scopes'][number]) => required || !declined.has(key)
  const allowed = scopes.filter(isOn).map(({ key }) => key)

  function toggle(key: string, on: boolean) {
    const next = new Set(declined)
    if (on) next.delete(key)
    else next.add(key)
    setDeclined(next)
  }

  if (answered)
    return (
      <PublicCard title={t(`app-requests.${answered}.title`)} centered>
        <p role="alert" className="-mt-5 text-center text-lead text-muted">
          {t('connections.answered', { app: client.name })}
        </p>
      </PublicCard>
    )
  if (pageError) return <ConsentError error={pageError} client_id={client.client_id} />
  if (!consent.access)
    return (
      <LeftOut
        client={client}
        back={request ? undefined : asking.uid && (device ? paths.device(asking.uid) : paths.interaction(asking.uid))}
        {...(asking.uid ? { onDeny: () => void decide({ scopes: [], deny: true }) } : {})}
        busy={deciding === 'deny'}
        message={message}
      />
    )
  return (
    <PublicCard
      foot={
        <>
          <Button busy={deciding === 'deny'} onClick={() => void decide({ scopes: [], deny: true })}>
            {t(device || request ? 'device.deny' : 'ui.cancel')}
          </Button>
          <Button
            look="primary"
            busy={deciding === 'allow'}
            aria-disabled={!active || (scopes.length > 0 && allowed.length === 0)}
            onClick={() => void decide({ scopes: allowed })}
          >
            {t('connections.allow')}
          </Button>
        </>
      }
    >
      <ConsentParties client={client} />
      <h1 tabIndex={-1} className="mt-4 text-center text-title sm:text-head">
        {client.claimed_name === null
          ? t(request ? 'app-requests.title' : 'connections.title', { app: client.name })
          : t('connections.unregistered.title', { host: client.name })}
      </h1>
      <div className="mt-1 text-center text-muted">
        {redirect_host && <p>{t('connections.host', { host: redirect_host })}</p>}
        {client.claimed_name === null && (
          <p className="text-small">{t('connections.made_by', { organization: client.developer.name })}</p>
        )}
        {client.verified && <p className="text-small">{t('connections.consent.verified')}</p>}
      </div>
      {client.claimed_name !== null && <Unregistered host={client.name} claimedName={client.claimed_name} />}
      {device && <RequestingDeviceFacts device={device} code={asking.uid ?? ''} />}
      {request && <OpenRequestFacts app={client.name} request={request} receivedAt={receivedAt} />}
      <ConsentAccount
        back={request ? undefined : asking.uid && (device ? paths.device(asking.uid) : paths.interaction(asking.uid))}
      />
      {scopes.length > 0 && (
        <section aria-labelledby="asked" className="mt-5">
          <h2 id="asked" className="mb-2 text-base">
            {t('connections.things', { app: client.name, count: allowed.length })}
          </h2>
          {groupsOf(scopes).map(({ name, scopes }) => (
            <div key={name ?? 'all'} className="not-first:mt-5">
              {name && <h3 className="mb-1 text-small font-semibold text-muted">{t(`connections.${name}`)}</h3>}
              <ul className="divide-y divide-line border-y border-line">
                {scopes.map((scope) => (
                  <RequestedScope
                    key={scope.key}
                    scope={scope}
                    returning={connected}
                    values={sharedValues(scope.key, user, words)}
                    on={isOn(scope)}
                    onChange={(on) => toggle(scope.key, on)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
      )}
      <p className="mt-4 text-small text-muted">
        {t('connections.take_back')}
        <ClientPolicies client={client} className="mt-1" />
      </p>
      <div role="alert">{message && <ErrorMessage>{message}</ErrorMessage>}</div>
    </PublicCard>
  )
}

type LeftOutProps = Pick<Consent, 'client'> & {
  back: string | undefined
  /** Goes back to the app; missing without a pending request. */
  onDeny?: () => void
  busy: boolean
  message: string | undefined
}

/** Says that the user may not use the app, and whom to ask. */
function LeftOut({ client, back, onDeny, busy, message }: LeftOutProps) {
  const { t } = useI18n()
  const { name: app, developer } = client
  return (
    <PublicCard
      foot={
        onDeny && (
          <Button busy={busy} onClick={onDeny}>
            {t('connections.no_access.back', { app })}
          </Button>
        )
      }
    >
      <ConsentParties client={client} />
      <h1 tabIndex={-1} className="mt-4 text-center text-title sm:text-head">
        {t('connections.error.no_access.title')}
      </h1>
      <p className="mt-2 text-center text-muted">{t('connections.error.no_access.text')}</p>
      <p className="mt-2 text-center">{t('connections.no_access.ask', { app, organization: developer.name })}</p>
      <ConsentAccount back={back} />
      <div role="alert">{message && <ErrorMessage>{message}</ErrorMessage>}</div>
    </PublicCard>
  )
}

/** Facts about an unregistered app: only the host that publishes its metadata. */
function Unregistered({ host, claimedName }: { host: string; claimedName: string }) {
  const { t } = useI18n()
  return (
    <div className="mt-4 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
      <AlertIcon className="mt-0.5" />
      <div className="min-w-0">
        {claimedName !== host && <p>{t('connections.unregistered.claims', { name: claimedName })}</p>}
        <p>{t('connections.unregistered.text', { host })}</p>
      </div>
    </div>
  )
}

/** Sensitive scopes start declined unless granted before or required. */
function isDeclinedAtFirst({ sensitive, required, granted }: Consent['scopes'][number]): boolean {
  return sensitive && !required && !granted
}

/** Pictures of app and user. */
function ConsentParties({ client }: Pick<Consent, 'client'>) {
  const user = useUser()
  return (
    <div aria-hidden="true" className="flex flex-wrap items-center justify-center gap-3.5">
      <Picture kind="app" url={client.icon} name={client.name} size={56} />
      <span className="flex gap-2 *:size-1.5 *:rounded-full">
        <span className="bg-line" />
        <span className="bg-accent" />
        <span className="bg-line" />
      </span>
      <Picture kind="user" url={user.profile_picture} name={accountName(user)} size={56} />
    </div>
  )
}

function ErrorMessage({ children }: { children: ReactNode }) {
  return (
    <p className="mt-5 flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
      <AlertIcon className="mt-0.5 text-danger" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

type Decision = { scopes: string[]; deny?: boolean }

/** Milliseconds after which the page explains that it is still there. */
const STAYS = 5000

/**
 * Submits the decision. After success the page stays busy until the browser navigates, which it does not where the redirect URI opens an
 * installed app: `answered` then.
 */
function useDecision(asking: ConsentRequest) {
  const { client, uid } = asking
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { errorMessage } = useFormErrors()
  const [deciding, setDeciding] = useState<'allow' | 'deny'>()
  const [message, setMessage] = useState<string>()
  const [pageError, setPageError] = useState<string>()
  const [answered, setAnswered] = useState<'allowed' | 'denied'>()

  async function decide(decision: Decision) {
    if (deciding) return
    setDeciding(decision.deny ? 'deny' : 'allow')
    setMessage(undefined)
    const answer = await context.api(connections.submitConsent, { client, ...decision, ...(uid ? { uid } : {}) })
    if (answer.ok) {
      const { redirect_to } = answer.data
      if (redirect_to) {
        location.assign(redirect_to)
        return void setTimeout(() => setAnswered(decision.deny ? 'denied' : 'allowed'), STAYS)
      }
      notify(context.notices, t(decision.deny ? 'connections.denied' : 'connections.allowed'))
      return router.navigate({ href: paths.home, replace: true })
    }
    // A permission was removed, or has become required, while the page was open: it shows them as they are now.
    const { code } = answer.problem
    const changed = uid && decision.scopes.length > 0 && (code === 'unknown_scope' || code === 'invalid_request')
    if (changed) await context.queries.invalidateQueries(consentOf(context, asking))
    else setPageError(pageErrorOf(code, uid))
    setDeciding(undefined)
    setMessage(changed ? t('connections.changed') : errorMessage(answer))
  }

  return { decide, deciding, message, pageError, answered }
}
