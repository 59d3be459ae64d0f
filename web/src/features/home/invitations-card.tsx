import { useQuery } from '@tanstack/react-query'
import type { Invitation } from '@vrata/contract/invitations'
import * as invitations from '@vrata/contract/invitations'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Rows } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { waitingInvitations } from './data.ts'

/** Organisations that wait for an answer; above everything, since others wait (design.md §7). */
export function InvitationsCard() {
  const { t } = useI18n()
  const { data } = useQuery(waitingInvitations(useWires()))
  if (!data?.length) return null
  return (
    <Card aria-labelledby="waiting-invitations">
      <CardHead id="waiting-invitations" title={t('home.invitations.title')} />
      <Rows label={t('home.invitations.title')}>
        {data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </Card>
  )
}

function InvitationRow({ invitation: { id, developer, inviter, permission } }: { invitation: Invitation }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal, sentence } = useRefusal()
  const [busy, setBusy] = useState(false)
  const level = t(`ui.level.${permission}`)

  const lookAgain = () => wires.queries.invalidateQueries(waitingInvitations(wires))

  async function join() {
    setBusy(true)
    const answer = await wires.api(invitations.answerInvitation, { id, accept: true })
    await Promise.all([lookAgain(), answer.ok && loadUser(wires)])
    setBusy(false)
    toast(answer.ok ? t('invitations.joined', { organization: developer.name }) : sentence(answer))
  }

  async function decline() {
    const declined = await ask({
      title: t('invitations.decline_ask'),
      message: t('invitations.decline_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('invitations.decline') }],
      danger: true,
      async send() {
        const answer = await wires.api(invitations.answerInvitation, { id, accept: false })
        if (!answer.ok && answer.problem.code !== 'not_found') return refusal(answer)
      },
    })
    if (!declined) return
    await lookAgain()
    toast(t('invitations.declined'))
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3 sm:px-6">
      <Picture kind="developer" url={developer.logo} name={developer.name} />
      <div className="min-w-0 grow basis-40">
        <p className="font-medium">{developer.name}</p>
        <p className="text-small text-muted">{t('home.invitations.from', { name: inviter ?? 'none', level })}</p>
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={() => void decline()}>
          {t('invitations.decline')}
          <span className="sr-only">: {developer.name}</span>
        </Button>
        <Button size="small" look="primary" busy={busy} onClick={() => void join()}>
          {t('invitations.join')}
          <span className="sr-only">: {developer.name}</span>
        </Button>
      </div>
    </div>
  )
}
