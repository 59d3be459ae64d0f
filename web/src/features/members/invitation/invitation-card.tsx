import { useRouter } from '@tanstack/react-router'
import type { DataOf } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import * as members from '@vrata/contract/members'
import { paths } from '@vrata/contract/page-addresses'
import type { ReactNode } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { permissionsOf } from '../../../lib/organizations/level-permissions.ts'
import { loadUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { AccountCard } from '../../../ui/identity/account-card.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { invitation as invitationQuery } from './queries.ts'

type Shown = DataOf<typeof members.describeInvitation>
type Props = { invitation: Shown; token: string; user: UserInfo | null }

/** Organization, inviter, level and the next step for the current user. */
export function InvitationCard({ invitation, token, user }: Props) {
  const { t, format } = useI18n()
  const { developer, inviter, permission, expires_at } = invitation
  const email = invitation.email ?? ''
  const back = paths.acceptInvitation(token)
  const level = t(`menu.level.${permission}`)

  return (
    <PublicCard>
      <div className="mb-6 flex flex-col items-center text-center *:max-w-full">
        <Picture kind="developer" url={developer.logo} name={developer.name} size={72} />
        <h1 tabIndex={-1} className="mt-4 text-head">
          {t('invitations.title', { organization: developer.name })}
        </h1>
        <p className="mt-2 text-lead text-muted">
          {inviter ? t('invitations.by', { name: inviter, level }) : t('invitations.by_nobody', { level })}
        </p>
      </div>
      <div className="mb-6 rounded-card bg-sunken px-5 py-4">
        <p className="font-semibold">{t('invitations.may')}</p>
        <ul className="mt-1 list-disc space-y-0.5 pl-5 text-muted">
          {permissionsOf(permission).map((power) => (
            <li key={power.words}>{t(power.words, power.level ? { level: t(`menu.level.${power.level}`) } : {})}</li>
          ))}
        </ul>
        <p className="mt-3 text-small text-muted">
          {t('invitations.until', { date: format.date(parseServerTime(expires_at)) })}
        </p>
      </div>
      {!user ? (
        <Step text={t('invitations.sign_in_text', { email })}>
          <ButtonLink look="primary" wide href={paths.loginAs(email, back)}>
            {t('invitations.sign_in')}
          </ButtonLink>
          <ButtonLink wide href={paths.signUpAs(email, back)}>
            {t('invitations.sign_up')}
          </ButtonLink>
        </Step>
      ) : user.email !== email ? (
        <Step text={t('invitations.wrong', { email })}>
          <AccountCard account={user} />
          <ButtonLink look="primary" wide href={paths.sessionEnded(back)}>
            {t('invitations.switch')}
          </ButtonLink>
        </Step>
      ) : !user.email_verified ? (
        <Step text={t('invitations.confirm_text', { email })}>
          <ButtonLink look="primary" wide href={paths.verify(back)}>
            {t('invitations.confirm')}
          </ButtonLink>
        </Step>
      ) : (
        <Answer invitation={invitation} token={token} />
      )}
    </PublicCard>
  )
}

function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="space-y-3">
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Accept or decline. After a rejection by the server the invitation is loaded again to explain it. */
function Answer({ invitation, token }: { invitation: Shown; token: string }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const organization = invitation.developer.name
  const refetch = () => context.queries.invalidateQueries(invitationQuery(context, token))

  async function join() {
    const answer = await context.api(members.acceptInvitation, { token })
    if (!answer.ok) {
      // An earlier call may have succeeded, and its answer was lost.
      if (answer.problem.code === 'invalid_token') return void (await Promise.all([refetch(), loadUser(context)]))
      return formErrors(answer)
    }
    await loadUser(context)
    toast(t('invitations.joined', { organization }))
    await router.navigate({ href: paths.applications(answer.data.developer_id), replace: true })
  }

  async function decline() {
    const declined = await showDialog({
      title: t('invitations.decline_ask'),
      message: t('invitations.decline_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('invitations.decline') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(members.answerInvitation, { id: invitation.id, accept: false })
        if (!answer.ok && answer.problem.code !== 'not_found') return formErrors(answer)
      },
    })
    if (declined) await refetch()
  }

  return (
    <Form onSubmit={join}>
      <div className="flex flex-col-reverse gap-3 sm:flex-row *:flex-1">
        <Button onClick={() => void decline()}>{t('invitations.decline')}</Button>
        <Submit>{t('invitations.join')}</Submit>
      </div>
    </Form>
  )
}
