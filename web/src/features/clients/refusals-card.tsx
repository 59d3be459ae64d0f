import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import type { Refusal } from '@vrata/contract/refusals'
import * as refusals from '@vrata/contract/refusals'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { shownTime } from '../../lib/time.ts'
import { callQuery } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { origins, redirectUris } from './data.ts'
import { isOwnHost } from './own-host.ts'

/** Why requests of the app were refused lately, in plain words, each with what mends it. Not there when all is well. */
export function RefusalsCard({ app }: { app: ClientInfo }) {
  return can(useUser(), refusals.listRefusals) ? <Refusals app={app} /> : null
}

function Refusals({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const { sentence } = useRefusal()
  const wires = useWires()
  const id = app.client_id
  const query = callQuery(wires, refusals.listRefusals, { id })
  const { data } = useQuery(query)
  if (!data?.length) return null

  async function forget() {
    const answer = await wires.api(refusals.forgetRefusals, { id })
    if (!answer.ok) return toast(sentence(answer))
    wires.queries.setQueryData(query.queryKey, [])
  }
  return (
    <Card aria-labelledby="refusals">
      <CardHead
        id="refusals"
        title={t('refusals.title')}
        text={t('refusals.text')}
        action={
          <Button size="small" onClick={() => void forget()}>
            {t('refusals.forget')}
          </Button>
        }
      />
      <ul className="divide-y divide-line">
        {data.map((refusal) => (
          <li key={`${refusal.reason} ${refusal.detail}`}>
            <Told app={app} refusal={refusal} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Told({ app, refusal }: { app: ClientInfo; refusal: Refusal }) {
  const { t, format } = useI18n()
  const { reason, detail, times, last_at } = refusal
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-semibold text-pretty">{t(`refusals.${reason}.title`)}</h3>
        {detail && <code className="mt-1 block font-mono text-base break-all">{detail}</code>}
        <p className="mt-1 text-muted">{t(`refusals.${reason}.text`)}</p>
        <p className="mt-1 text-small text-muted">
          {t('refusals.times', { times })} · <Time at={last_at} {...shownTime(last_at, format)} />
        </p>
      </div>
      <Mend app={app} refusal={refusal} />
    </div>
  )
}

/** What mends it is one press away; where it is the developer's own code, the sentence has said so. */
function Mend({ app, refusal }: { app: ClientInfo; refusal: Refusal }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  const add = useAdd(app)
  const { reason, addable } = refusal
  if (addable && (reason === 'redirect_uri' || reason === 'origin')) {
    return <Button onClick={() => void add(reason, refusal.detail)}>{t('refusals.add')}</Button>
  }
  if (reason !== 'scope' && reason !== 'client_disabled') return null
  const tab = reason === 'scope' ? 'scopes' : 'details'
  return (
    <ButtonLink href={paths.client(developer_id ?? '', app.client_id, tab)}>{t(`refusals.${reason}.mend`)}</ButtonLink>
  )
}

/**
 * Registers an address that was refused. Anybody can send a request with an address of their own, so one on a host that
 * the app does not use yet is asked about first.
 */
function useAdd(app: ClientInfo) {
  const { t } = useI18n()
  const { refusal } = useRefusal()
  const wires = useWires()
  const id = app.client_id
  const known = useQuery(redirectUris(wires, id)).data?.redirect_uris ?? []

  async function send(reason: 'redirect_uri' | 'origin', address: string) {
    const answer =
      reason === 'origin'
        ? await wires.api(clients.addOrigin, { id, origin: address })
        : await wires.api(clients.addRedirectUri, { id, redirect_uri: address })
    if (!answer.ok) return { message: refusal(answer).message ?? t(`problems.${answer.problem.code}`) }
    const list = reason === 'origin' ? origins(wires, id) : redirectUris(wires, id)
    wires.queries.setQueryData(list.queryKey as never, answer.data as never)
    await wires.queries.invalidateQueries({ queryKey: [refusals.listRefusals.path] })
    toast(t('refusals.added'))
  }

  return async (reason: 'redirect_uri' | 'origin', address: string) => {
    if (isOwnHost(address, [...known, app.home_page_url ?? ''])) {
      const refused = await send(reason, address)
      if (refused) toast(refused.message)
      return
    }
    await ask({
      title: t('refusals.ask.title'),
      message: (
        <>
          <code className="block font-mono text-base break-all text-ink">{address}</code>
          <span className="mt-3 block">{t('refusals.ask.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('refusals.add') }],
      send: () => send(reason, address),
    })
  }
}
