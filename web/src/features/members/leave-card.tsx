import { useRouter } from '@tanstack/react-router'
import * as members from '@vrata/contract/members'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { SignOutIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

/** Leaving the organization. The last owner must hand over first. */
export function LeaveCard({ onlyOwner }: { onlyOwner: boolean }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { developer_id, developer_accounts } = useUser()
  const { formErrors } = useFormErrors()
  const name = developer_accounts.find((one) => one.developer_id === developer_id)?.name ?? ''

  async function leave() {
    if (onlyOwner) {
      await showDialog({
        title: t('members.last.title'),
        message: t('members.last.text'),
        buttons: [{ label: t('ui.close') }],
      })
      return
    }
    await showDialog({
      title: t('members.leave.ask', { name }),
      message: t('members.leave.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.leave.submit') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(members.leaveDeveloper)
        if (!answer.ok) return formErrors(answer)
        void goHome()
      },
    })
  }

  /** Leads home, because the page would not notice that the membership has ended. */
  async function goHome() {
    await router.navigate({ href: paths.home, replace: true })
    await loadUser(context)
    toast(t('members.leave.done'))
  }

  return (
    <Card aria-labelledby="leave">
      <CardHead id="leave" title={t('members.leave.title')} text={t('members.leave.text')} />
      <CardBody className="pt-2">
        <Button className="max-w-full wrap-anywhere" onClick={() => void leave()}>
          <SignOutIcon />
          {t('members.leave.do')}
        </Button>
      </CardBody>
    </Card>
  )
}
