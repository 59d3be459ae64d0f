import { useQuery } from '@tanstack/react-query'
import type { Invitation } from '@vrata/contract/members'
import * as members from '@vrata/contract/members'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Rows } from '../../ui/layout/row.tsx'
import { pendingInvitations } from './queries.ts'

/** Invitations to organizations, first on the page (design §7.10). */
export function PendingInvitationsCard() {
  const { t } = useI18n()
  const { data } = useQuery(pendingInvitations(useAppContext()))
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
  const context = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()
  const [busy, setBusy] = useState(false)
  const level = t(`menu.level.${permission}`)

  const refetch = () => context.queries.invalidateQueries(pendingInvitations(context))

  async function join() {
    setBusy(true)
    const answer = await context.api(members.answerInvitation, { id, accept: true })
    // The person may have joined even without an answer.
    await Promise.all([refetch(), loadUser(context)])
    setBusy(false)
    toast(answer.ok ? t('invitations.joined', { organization: developer.name }) : errorMessage(answer))
  }

  async function decline() {
    await showDialog({
      title: t('invitations.decline_ask'),
      message: t('invitations.decline_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('invitations.decline') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(members.answerInvitation, { id, accept: false })
        if (!answer.ok && answer.problem.code !== 'not_found') return formErrors(answer)
        // Before the dialog closes, which looks for a place for the focus.
        await refetch()
        toast(t('invitations.declined'))
      },
    })
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3 sm:px-6">
      <Picture kind="developer" url={developer.logo} name={developer.name} />
      <div className="min-w-0 grow basis-40">
        <p className="font-medium">{developer.name}</p>
        <p className="text-small text-muted">{t('home.invitations.from', { name: inviter ?? 'none', level })}</p>
      </div>
      <div className="flex flex-wrap gap-2">
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
