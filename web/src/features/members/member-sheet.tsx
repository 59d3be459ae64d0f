import { grantableLevels, type Level } from '@vrata/contract'
import type { MemberInfo } from '@vrata/contract/members'
import * as members from '@vrata/contract/members'
import { useEffect, useRef } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { readAgain } from '../../lib/api/read-again.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Form, Submit } from '../../ui/form/form.tsx'
import { TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { LevelField } from './level-field.tsx'
import { invalidateMembers } from './queries.ts'

type Props = { member: MemberInfo; open: boolean; onClose: () => void }

/** Changes the level of a member or removes the member. */
export function MemberSheet({ member, open, onClose }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const me = useUser()
  const { formErrors } = useFormErrors()
  const mine = member.user.id === me.id
  const name = accountName(member.user)
  /** The level that the sheet has shown when it opened; another member may change it meanwhile. */
  const seen = useRef(member.permission)

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the sheet opens
  useEffect(() => {
    if (open) seen.current = member.permission
  }, [open])

  async function save({ permission }: Record<string, string>) {
    if (permission === seen.current) return void onClose()
    if (mine && !(await confirmOwnDemotion())) return
    const answer = await context.api(members.changeLevel, {
      id: member.id,
      permission: permission as Level,
      seen_permission: seen.current,
    })
    if (!answer.ok) return formErrors(answer)
    await readAgain(Promise.all([invalidateMembers(context), mine && loadUser(context)]))
    onClose()
    toast(t('members.member.saved'))
  }

  function confirmOwnDemotion() {
    return showDialog({
      title: t('members.member.lower_ask'),
      message: t('members.member.lower_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.member.lower_do') }],
      danger: true,
    })
  }

  async function remove() {
    await showDialog({
      title: t('members.member.remove_ask'),
      message: t('members.member.remove_text', { name }),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.member.remove_do') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(members.removeMember, { id: member.id, seen_permission: seen.current })
        if (!answer.ok) return formErrors(answer)
        onClose()
        await invalidateMembers(context)
        toast(t('members.member.removed'))
      },
    })
  }

  return (
    <Sheet open={open} onClose={onClose} title={name} message={member.user.email}>
      <div className="mt-6">
        <Form onSubmit={save}>
          <LevelField levels={grantableLevels(me.permission)} value={member.permission} />
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
