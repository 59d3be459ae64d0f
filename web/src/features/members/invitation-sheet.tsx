import type { MemberInfo } from '@vrata/contract/members'
import * as members from '@vrata/contract/members'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Form, Submit } from '../../ui/form/form.tsx'
import { TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { invalidateMembers } from './queries.ts'

type Props = { pending: MemberInfo; open: boolean; onClose: () => void }

/** A pending invitation: resend or withdraw it. */
export function InvitationSheet({ pending, open, onClose }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [link, setLink] = useState<string>()
  const { email } = pending.user
  const state = (pending.invitation?.state ?? 'waiting') as 'waiting'

  async function resend() {
    const answer = await context.api(members.resendInvitation, { id: pending.id })
    if (!answer.ok) return formErrors(answer)
    setLink(answer.data.link)
    await invalidateMembers(context)
  }

  function withdraw() {
    return showDialog({
      title: t('members.pending.withdraw_ask'),
      message: t('members.pending.withdraw_text', { email }),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.pending.withdraw') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(members.removeMember, { id: pending.id })
        if (!answer.ok) return formErrors(answer)
        onClose()
        await invalidateMembers(context)
        toast(t('members.pending.withdrawn'))
      },
    })
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      shownOnce={link !== undefined}
      title={link ? t('members.invite.done') : email}
      message={link ? t('members.invite.done_text', { email }) : t(`members.state.${state}_text`)}
    >
      <div className="mt-6">
        {link ? (
          <InvitationLink link={link} onClose={onClose} />
        ) : (
          <Form onSubmit={resend}>
            <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <Button onClick={onClose}>{t('ui.close')}</Button>
              <Submit>{t('members.pending.resend')}</Submit>
            </div>
            <div className="mt-1 border-t border-line pt-5">
              <Button wide onClick={() => void withdraw()}>
                <TrashIcon />
                {t('members.pending.withdraw')}
              </Button>
            </div>
          </Form>
        )}
      </div>
    </Sheet>
  )
}
