import type { MemberInfo } from '@vrata/contract/members'
import * as members from '@vrata/contract/members'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { reread } from './data.ts'
import { LinkOnce } from './link-once.tsx'

type Props = { pending: MemberInfo; open: boolean; onClose: () => void }

/** An invitation that has not been accepted: sent again with a new link, or withdrawn. */
export function InvitationSheet({ pending, open, onClose }: Props) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const [link, setLink] = useState<string>()
  const { email } = pending.user
  const state = (pending.invitation?.state ?? 'waiting') as 'waiting'

  async function resend() {
    const answer = await wires.api(members.resendInvitation, { id: pending.id })
    if (!answer.ok) return refusal(answer)
    setLink(answer.data.link)
    await reread(wires)
  }

  function withdraw() {
    return ask({
      title: t('members.pending.withdraw_ask'),
      message: t('members.pending.withdraw_text', { email }),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.pending.withdraw') }],
      danger: true,
      async send() {
        const answer = await wires.api(members.removeMember, { id: pending.id })
        if (!answer.ok) return refusal(answer)
        onClose()
        await reread(wires)
        toast(t('members.pending.withdrawn'))
      },
    })
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={link ? t('members.invite.done') : email}
      message={link ? t('members.invite.done_text', { email }) : t(`members.state.${state}_text`)}
    >
      <div className="mt-6">
        {link ? (
          <LinkOnce link={link} onClose={onClose} />
        ) : (
          <Form onSubmit={resend}>
            <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <Button onClick={() => void withdraw()}>{t('members.pending.withdraw')}</Button>
              <Submit>{t('members.pending.resend')}</Submit>
            </div>
          </Form>
        )}
      </div>
    </Sheet>
  )
}
