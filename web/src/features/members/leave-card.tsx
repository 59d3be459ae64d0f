import { useRouter } from '@tanstack/react-router'
import * as members from '@vrata/contract/members'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { SignOutIcon } from '../../ui/inner-icons.tsx'
import { toast } from '../../ui/toast.ts'

/** The way out of the organisation; its only owner is told first what to do. */
export function LeaveCard({ onlyOwner }: { onlyOwner: boolean }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { developer_id, developer_accounts } = useUser()
  const { refusal } = useRefusal()
  const name = developer_accounts.find((one) => one.developer_id === developer_id)?.name ?? ''

  async function leave() {
    if (onlyOwner) {
      await ask({
        title: t('members.last.title'),
        message: t('members.last.text'),
        buttons: [{ label: t('ui.close') }],
      })
      return
    }
    const left = await ask({
      title: t('members.leave.ask', { name }),
      message: t('members.leave.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('members.leave.submit') }],
      danger: true,
      async send() {
        const answer = await wires.api(members.leaveDeveloper)
        if (!answer.ok) return refusal(answer)
      },
    })
    if (!left) return
    await router.navigate({ href: paths.home, replace: true })
    await loadUser(wires)
    toast(t('members.leave.done'))
  }

  return (
    <Card aria-labelledby="leave">
      <CardHead id="leave" title={t('members.leave.title')} text={t('members.leave.text')} />
      <CardBody className="pt-2">
        <Button onClick={() => void leave()}>
          <SignOutIcon />
          {t('members.leave.do')}
        </Button>
      </CardBody>
    </Card>
  )
}
