import type { TestSignInResult } from '@vrata/contract/client-diagnostics'
import * as clientDiagnostics from '@vrata/contract/client-diagnostics'
import type { ClientInfo } from '@vrata/contract/clients'
import type { ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/content/code.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { type TestSignIn, useTestSignIn } from './use-test-sign-in.ts'

/** Signs the developer in with the settings of the app and shows what the app would receive (design §7.24). */
export function TestSignInCard({ app }: { app: ClientInfo }) {
  return can(useUser(), clientDiagnostics.completeTestSignIn) ? <TestSignInPanel app={app} /> : null
}

function TestSignInPanel({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const { state, start, stop } = useTestSignIn(app)
  const waiting = state.step === 'waiting'
  return (
    <Card aria-labelledby="test-sign-in">
      <CardHead
        id="test-sign-in"
        title={t('client-diagnostics.test.title')}
        text={t('client-diagnostics.test.text')}
        action={
          <Button size="small" busy={waiting} onClick={() => void start()}>
            {t(state.step === 'ready' || waiting ? 'client-diagnostics.test.start' : 'client-diagnostics.test.again')}
          </Button>
        }
      />
      <div role="status">
        {waiting && (
          <CardBody className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line">
            <p className="min-w-0 grow basis-64 text-muted">{t('client-diagnostics.test.waiting')}</p>
            <Button look="ghost" size="small" onClick={stop}>
              {t('client-diagnostics.test.stop')}
            </Button>
          </CardBody>
        )}
        <Outcome app={app} state={state} />
      </div>
    </Card>
  )
}

function Outcome({ app, state }: { app: ClientInfo; state: TestSignIn }) {
  const { t } = useI18n()
  switch (state.step) {
    case 'blocked':
      return <Failure title={t('client-diagnostics.test.blocked')} text={t('client-diagnostics.test.blocked_text')} />
    case 'insecure':
      return <Failure title={t('client-diagnostics.test.insecure')} text={t('client-diagnostics.test.insecure_text')} />
    case 'failed':
      return <Failure title={t('client-diagnostics.test.failed')} text={state.message} />
    case 'refused': {
      const denied = state.error === 'access_denied'
      return (
        <Failure
          title={t(denied ? 'client-diagnostics.test.denied' : 'client-diagnostics.test.failed')}
          text={t(denied ? 'client-diagnostics.test.denied_text' : 'client-diagnostics.test.failed_text')}
          error={state.error}
          description={state.description}
        />
      )
    }
    case 'done':
      return <Result app={app} result={state.result} />
    default:
      return null
  }
}

function Result({ app, result }: { app: ClientInfo; result: TestSignInResult }) {
  const { t } = useI18n()
  const { error, id_token, userinfo, scope, expires_in } = result
  return (
    <>
      {error && (
        <Failure
          title={t(error.reason ? `client-diagnostics.${error.reason}.title` : 'client-diagnostics.test.failed')}
          text={t(error.reason ? `client-diagnostics.${error.reason}.text` : 'client-diagnostics.test.failed_text')}
          error={error.error}
          description={error.error_description ?? undefined}
        />
      )}
      {scope !== null && (
        <CardBody className="space-y-5 border-t border-line">
          {!error && (
            <Line icon={<CheckIcon className="mt-0.5 text-ok" />}>
              <strong className="block font-semibold">{t('client-diagnostics.test.done')}</strong>
              <span className="text-muted">{t('client-diagnostics.test.done_text', { app: app.name })}</span>
            </Line>
          )}
          <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
            <dt className="text-muted">{t('client-diagnostics.test.scopes')}</dt>
            <dd className="font-mono">{scope || '–'}</dd>
            <dt className="text-muted">{t('client-diagnostics.test.access_token')}</dt>
            <dd>{t('client-diagnostics.test.expires_in', { minutes: Math.round((expires_in ?? 0) / 60) })}</dd>
          </dl>
          {id_token ? (
            <Code title={t('client-diagnostics.test.id_token')} text={json(id_token.claims)} language="json" />
          ) : (
            <p className="text-muted">{t('client-diagnostics.test.no_id_token')}</p>
          )}
          {id_token && (
            <Code title={t('client-diagnostics.test.header')} text={json(id_token.header)} language="json" />
          )}
          {userinfo && <Code title={t('client-diagnostics.test.userinfo')} text={json(userinfo)} language="json" />}
        </CardBody>
      )}
    </>
  )
}

type FailureProps = { title: string; text: string; error?: string; description?: string | undefined }

function Failure({ title, text, error, description }: FailureProps) {
  return (
    <CardBody className="border-t border-line">
      <Line icon={<AlertIcon className="mt-0.5 text-danger" />}>
        <strong className="block font-semibold">{title}</strong>
        <span className="text-muted">{text}</span>
        {error && (
          <code className="mt-1 block font-mono text-small">{[error, description].filter(Boolean).join(': ')}</code>
        )}
      </Line>
    </CardBody>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      {icon}
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const json = (value: object) => JSON.stringify(value, null, 2)
