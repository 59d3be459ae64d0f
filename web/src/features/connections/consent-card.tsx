import { useLocation, useRouter } from '@tanstack/react-router'
import type { Consent } from '@vrata/contract/connections'
import * as connections from '@vrata/contract/connections'
import { type ReactNode, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useUser } from '../../lib/session.ts'
import { notify, useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { AccountCard, accountName } from '../../ui/account-card.tsx'
import { Button } from '../../ui/button.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Link } from '../../ui/link.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { AskedScope } from './asked-scope.tsx'
import { AskingDeviceFacts } from './asking-device.tsx'
import { ConsentError, pageErrorOf } from './consent-error.tsx'
import { groupsOf } from './consent-groups.ts'
import type { Asking } from './data.ts'
import { sharedValues } from './shared-values.ts'
import { useSettled } from './use-settled.ts'

/** Who asks, for what, and whom; the answer goes to the server, which says where to go on. */
export function ConsentCard({ asking, consent }: { asking: Asking; consent: Consent }) {
  const words = useI18n()
  const { t } = words
  const user = useUser()
  const { client, scopes, redirect_host, device } = consent
  const settled = useSettled()
  const { decide, deciding, message, over } = useDecision(asking)
  const [declined, setDeclined] = useState<ReadonlySet<string>>(
    () => new Set(scopes.filter(startsOff).map(({ key }) => key)),
  )
  const allowed = scopes.map(({ key }) => key).filter((key) => !declined.has(key))

  function toggle(key: string, on: boolean) {
    const next = new Set(declined)
    if (on) next.delete(key)
    else next.add(key)
    setDeclined(next)
  }

  if (over) return <ConsentError error={over} client_id={client.client_id} />
  return (
    <PublicCard
      foot={
        <>
          <Button busy={deciding === 'deny'} onClick={() => void decide({ scopes: [], deny: true })}>
            {t(device ? 'device.deny' : 'ui.cancel')}
          </Button>
          <Button
            look="primary"
            busy={deciding === 'allow'}
            aria-disabled={!settled}
            onClick={() => void decide({ scopes: allowed })}
          >
            {t('connections.allow')}
          </Button>
        </>
      }
    >
      <Meeting client={client} />
      <h1 tabIndex={-1} className="mt-6 text-center text-head">
        {t('connections.title', { app: client.name })}
      </h1>
      <div className="mt-2 text-center text-muted">
        {redirect_host && <p className="text-lead">{t('connections.host', { host: redirect_host })}</p>}
        <p className="text-small">{t('connections.made_by', { organization: client.developer.name })}</p>
      </div>
      {device && <AskingDeviceFacts device={device} code={asking.uid ?? ''} />}
      <Account
        back={asking.uid && (device ? paths.device(asking.uid) : `/authorize/${encodeURIComponent(asking.uid)}`)}
      />
      {scopes.length > 0 && (
        <section aria-labelledby="asked" className="mt-7">
          <h2 id="asked" className="mb-2 text-base">
            {t('connections.things', { app: client.name, count: scopes.length })}
          </h2>
          {groupsOf(scopes).map(({ name, scopes }) => (
            <div key={name} className="not-first:mt-5">
              {name && <h3 className="mb-1 text-small font-semibold text-muted">{t(`connections.${name}`)}</h3>}
              <ul className="divide-y divide-line border-y border-line">
                {scopes.map((scope) => (
                  <AskedScope
                    key={scope.key}
                    scope={scope}
                    values={sharedValues(scope.key, user, words)}
                    on={!declined.has(scope.key)}
                    onChange={(on) => toggle(scope.key, on)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
      )}
      <p className="mt-5 text-muted">
        {t('connections.take_back')}{' '}
        {client.privacy_policy_url && (
          <a
            href={client.privacy_policy_url}
            target="_blank"
            rel="noopener noreferrer"
            className="font-semibold text-brand underline underline-offset-4 hover:text-brand-strong"
          >
            {t('connections.privacy_policy')}
            <span className="sr-only"> ({t('ui.opens_new_tab')})</span>
          </a>
        )}
      </p>
      <div role="alert">{message && <Refused>{message}</Refused>}</div>
    </PublicCard>
  )
}

/** What is sensitive is given by a deed of its own, unless it was given before or cannot be left out. */
function startsOff({ sensitive, required, granted }: Consent['scopes'][number]): boolean {
  return sensitive && !required && !granted
}

/** The app and the person, and light on the way between them. */
function Meeting({ client }: Pick<Consent, 'client'>) {
  const user = useUser()
  return (
    <div aria-hidden="true" className="flex items-center justify-center gap-3.5">
      <Picture kind="app" url={client.icon} name={client.name} size={72} />
      <span className="flex gap-2 *:size-1.5 *:rounded-full">
        <span className="bg-line" />
        <span className="bg-lamp" />
        <span className="bg-line" />
      </span>
      <Picture kind="user" url={user.profile_picture} name={accountName(user)} size={72} />
    </div>
  )
}

/** As whom; another account is signed in first and then led back to the same request. */
function Account({ back }: { back: string | undefined }) {
  const { t } = useI18n()
  const user = useUser()
  const href = useLocation({ select: (location) => location.href })
  return (
    <div className="mt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-small">
        <p className="text-muted">{t('connections.signed_in_as')}</p>
        <Link
          href={paths.sessionEnded(back ?? href)}
          className="-mr-2 flex min-h-11 items-center rounded-row px-2 font-semibold text-brand hover:text-brand-strong hover:underline"
        >
          {t('connections.change_account')}
        </Link>
      </div>
      <AccountCard account={user} />
    </div>
  )
}

function Refused({ children }: { children: ReactNode }) {
  return (
    <p className="mt-5 flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
      <AlertIcon className="mt-0.5 text-danger" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

type Decision = { scopes: string[]; deny?: boolean }

/** Sends the answer. Once it is given, the page stays busy until the browser is on its way. */
function useDecision({ client, uid }: Asking) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { sentence } = useRefusal()
  const [deciding, setDeciding] = useState<'allow' | 'deny'>()
  const [message, setMessage] = useState<string>()
  const [over, setOver] = useState<string>()

  async function decide(decision: Decision) {
    if (deciding) return
    setDeciding(decision.deny ? 'deny' : 'allow')
    setMessage(undefined)
    const answer = await wires.api(connections.putConsent, { client, ...decision, ...(uid ? { uid } : {}) })
    if (answer.ok) {
      const { redirect_to } = answer.data
      if (redirect_to) return location.assign(redirect_to)
      notify(wires.notices, t(decision.deny ? 'connections.denied' : 'connections.allowed'))
      return router.navigate({ href: paths.home, replace: true })
    }
    setDeciding(undefined)
    setOver(pageErrorOf(answer.problem.code, uid))
    setMessage(sentence(answer))
  }

  return { decide, deciding, message, over }
}
