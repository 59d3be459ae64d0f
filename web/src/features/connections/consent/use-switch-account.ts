import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'

/** Asks before it signs the user out. After the next sign-in the browser returns to `back`. */
export function useSwitchAccount() {
  const { t } = useI18n()
  const router = useRouter()
  const { email } = useUser()
  return async (back: string) => {
    const answer = await showDialog({
      title: t('connections.switch.title'),
      message: t('connections.switch.text', { email }),
      buttons: [{ label: t('ui.cancel') }, { label: t('connections.switch.submit') }],
    })
    if (answer) await router.navigate({ href: paths.sessionEnded(back), state: { switching: true } })
  }
}
