import { useQuery } from '@tanstack/react-query'
import type { ClientError } from '@vrata/contract/client-diagnostics'
import * as clientDiagnostics from '@vrata/contract/client-diagnostics'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { paths } from '@vrata/contract/page-addresses'
import { callQuery } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { origins, redirectUris } from '../../lib/clients/client-queries.ts'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { isOwnHost } from './is-own-host.ts'

/** Recent errors of requests of the app, each with its solution. Hidden when there are none. */
export function ClientErrorsCard({ app }: { app: ClientInfo }) {
  return can(useUser(), clientDiagnostics.listClientErrors) ? <ClientErrors app={app} /> : null
}

function ClientErrors({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const context = useAppContext()
  const id = app.client_id
  const query = callQuery(context, clientDiagnostics.listClientErrors, { id })
  const { data } = useQuery(query)
  if (!data?.length) return null

  async function clear() {
    const answer = await context.api(clientDiagnostics.deleteClientErrors, { id })
    if (!answer.ok) return toast(errorMessage(answer))
    context.queries.setQueryData(query.queryKey, [])
  }
  return (
    <Card aria-labelledby="refusals">
      <CardHead
        id="refusals"
        title={t('client-diagnostics.title')}
        text={t('client-diagnostics.text')}
        action={
          <Button size="small" onClick={() => void clear()}>
            {t('client-diagnostics.forget')}
          </Button>
        }
      />
      <ul className="divide-y divide-line">
        {data.map((error) => (
          <li key={`${error.reason} ${error.detail}`}>
            <ClientErrorRow app={app} error={error} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ClientErrorRow({ app, error }: { app: ClientInfo; error: ClientError }) {
  const { t, format } = useI18n()
  const { reason, detail, times, last_at } = error
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-semibold text-pretty">{t(`client-diagnostics.${reason}.title`)}</h3>
        {detail && <code className="mt-1 block font-mono text-base break-all">{detail}</code>}
        <p className="mt-1 text-muted">{t(`client-diagnostics.${reason}.text`)}</p>
        <p className="mt-1 text-small text-muted">
          {t('client-diagnostics.times', { times })} · <Time at={last_at} {...formatTime(last_at, format)} />
        </p>
      </div>
      <Fix app={app} error={error} />
    </div>
  )
}

/** Action that solves the error; errors in the developer's code have none. */
function Fix({ app, error }: { app: ClientInfo; error: ClientError }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  const add = useAddAddress(app)
  const { reason, addable } = error
  if (addable && (reason === 'redirect_uri' || reason === 'origin')) {
    return <Button onClick={() => void add(reason, error.detail)}>{t('client-diagnostics.add')}</Button>
  }
  if (reason !== 'scope' && reason !== 'client_disabled' && reason !== 'client_not_approved') return null
  const tab = reason === 'scope' ? 'scopes' : 'details'
  return (
    <ButtonLink href={paths.client(developer_id ?? '', app.client_id, tab)}>
      {t(`client-diagnostics.${reason}.fix`)}
    </ButtonLink>
  )
}

/**
 * Registers a rejected address. Anyone can send a request with their own address, so an address on a host that the app
 * does not use yet is confirmed first.
 */
function useAddAddress(app: ClientInfo) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const context = useAppContext()
  const id = app.client_id
  const known = useQuery(redirectUris(context, id)).data ?? []

  async function send(reason: 'redirect_uri' | 'origin', address: string) {
    const answer =
      reason === 'origin'
        ? await context.api(clients.addOrigin, { id, origin: address })
        : await context.api(clients.addRedirectUri, { id, redirect_uri: address })
    if (!answer.ok) return { message: errorMessage(answer) }
    const list = reason === 'origin' ? origins(context, id) : redirectUris(context, id)
    context.queries.setQueryData(list.queryKey as never, answer.data as never)
    await context.queries.invalidateQueries({ queryKey: [clientDiagnostics.listClientErrors.path] })
    toast(t('client-diagnostics.added'))
  }

  return async (reason: 'redirect_uri' | 'origin', address: string) => {
    if (isOwnHost(address, [...known, app.home_page_url ?? ''])) {
      const failed = await send(reason, address)
      if (failed) toast(failed.message)
      return
    }
    await showDialog({
      title: t('client-diagnostics.ask.title'),
      message: (
        <>
          <code className="block font-mono text-base break-all text-ink">{address}</code>
          <span className="mt-3 block">{t('client-diagnostics.ask.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('client-diagnostics.add') }],
      onSubmit: () => send(reason, address),
    })
  }
}
