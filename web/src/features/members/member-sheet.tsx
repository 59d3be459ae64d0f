import { type Level, levelsToGive } from '@vrata/contract'
import type { MemberInfo } from '@vrata/contract/members'
import * as members from '@vrata/contract/members'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { accountName } from '../../ui/account-card.tsx'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { TrashIcon } from '../../ui/inner-icons.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { reread } from './data.ts'
import { LevelField } from './level-field.tsx'

type Props = { member: MemberInfo; open: boolean; onClose: () => void }

/** Another level for a member, or the end of their membership. */
export function MemberSheet({ member, open, onClose }: Props) {
  const { t } = useI18n()
  const wires = useWires()
  const me = useUser()
  const { refusal } = useRefusal()
  const mine = member.user.id === me.id
  const name = accountName(member.user)

  async function save({ permission }: Record<string, string>) {
    if (permission === member.permission) return void onClose()
    if (mine && !(await askToLower())) return
    const answer = await wires.api(members.changeLevel, { id: member.id, permission: permission as Level })
    if (!answer.ok) return refusal(answer)
    await Promise.all([reread(wires), mine && loadUser(wires)])
    onClose()
    toast(t('members.member.saved'))
  }

  function askToLower() {
    return ask({
      title: t('members.member.lower_ask'),
      message: t('members.member.lower_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.member.lower_do') }],
      danger: true,
    })
  }

  async function remove() {
    await ask({
      title: t('members.member.remove_ask'),
      message: t('members.member.remove_text', { name }),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.member.remove_do') }],
      danger: true,
      async send() {
        const answer = await wires.api(members.removeMember, { id: member.id })
        if (!answer.ok) return refusal(answer)
        onClose()
        await reread(wires)
        toast(t('members.member.removed'))
      },
    })
  }

  return (
    <Sheet open={open} onClose={onClose} title={name} message={member.user.email}>
      <div className="mt-6">
        <Form onSubmit={save}>
          <LevelField levels={levelsToGive(me.permission)} value={member.permission} />
          <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Submit>{t('members.member.save')}</Submit>
          </div>
        </Form>
        {!mine && (
          <div className="mt-6 border-t border-line pt-5">
            <Button wide onClick={() => void remove()}>
              <TrashIcon />
              {t('members.member.remove')}
            </Button>
          </div>
        )}
      </div>
    </Sheet>
  )
}
