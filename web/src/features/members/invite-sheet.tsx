import { grantableLevels, type Level } from '@vrata/contract'
import * as members from '@vrata/contract/members'
import { useState } from 'react'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { LevelField } from './level-field.tsx'
import { invalidateMembers } from './queries.ts'

type Invited = { link: string; email: string }

/** Invites a member, then shows the link once. */
export function InviteSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const [invited, setInvited] = useState<Invited>()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      shownOnce={invited !== undefined}
      title={t(invited ? 'members.invite.done' : 'members.invite.title')}
      message={invited ? t('members.invite.done_text', { email: invited.email }) : t('members.invite.text')}
    >
      <div className="mt-6">
        {invited ? (
          <InvitationLink link={invited.link} onClose={onClose} />
        ) : (
          <InviteForm onInvited={setInvited} onCancel={onClose} />
        )}
      </div>
    </Sheet>
  )
}

function InviteForm({ onInvited, onCancel }: { onInvited: (invited: Invited) => void; onCancel: () => void }) {
  const { t } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const { formErrors } = useFormErrors()

  async function invite({ email = '', permission }: Record<string, string>) {
    const answer = await context.api(members.inviteMember, { email, permission: permission as Level })
    if (!answer.ok) return formErrors(answer, { already_member: 'email', already_invited: 'email' })
    onInvited({ link: answer.data.link, email: answer.data.user.email })
    await invalidateMembers(context)
  }

  return (
    <Form onSubmit={invite}>
      <TextField
        name="email"
        label={t('members.email')}
        autoComplete="off"
        {...constraintsOf(members.inviteMember, 'email')}
      />
      <LevelField levels={grantableLevels(user.permission)} value="member" />
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Submit>{t('members.invite.submit')}</Submit>
      </div>
    </Form>
  )
}
