import { type Level, levelsToGive } from '@vrata/contract'
import * as members from '@vrata/contract/members'
import { useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { reread } from './data.ts'
import { LevelField } from './level-field.tsx'
import { LinkOnce } from './link-once.tsx'

type Invited = { link: string; email: string }

/** Asks whom to invite at which level, then shows the link, this once. */
export function InviteSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const [invited, setInvited] = useState<Invited>()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t(invited ? 'members.invite.done' : 'members.invite.title')}
      message={invited ? t('members.invite.done_text', { email: invited.email }) : t('members.invite.text')}
    >
      <div className="mt-6">
        {invited ? (
          <LinkOnce link={invited.link} onClose={onClose} />
        ) : (
          <InviteForm onInvited={setInvited} onCancel={onClose} />
        )}
      </div>
    </Sheet>
  )
}

function InviteForm({ onInvited, onCancel }: { onInvited: (invited: Invited) => void; onCancel: () => void }) {
  const { t } = useI18n()
  const wires = useWires()
  const user = useUser()
  const { refusal } = useRefusal()

  async function invite({ email = '', permission }: Record<string, string>) {
    const answer = await wires.api(members.inviteMember, { email, permission: permission as Level })
    if (!answer.ok) return refusal(answer, { already_member: 'email', already_invited: 'email' })
    onInvited({ link: answer.data.link, email: answer.data.user.email })
    await reread(wires)
  }

  return (
    <Form onSubmit={invite}>
      <TextField
        name="email"
        label={t('members.email')}
        autoComplete="off"
        {...constraintsOf(members.inviteMember, 'email')}
      />
      <LevelField levels={levelsToGive(user.permission)} value="member" />
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Submit>{t('members.invite.submit')}</Submit>
      </div>
    </Form>
  )
}
