import { useBlocker } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'

/** While there are unsaved changes, asks before another page opens; the browser asks before the window closes. */
export function useLeaveGuard(dirty: boolean): void {
  const { t } = useI18n()
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    async shouldBlockFn({ current, next }) {
      if (current.pathname === next.pathname) return false
      const answer = await showDialog({
        title: t('branding.leave.title'),
        message: t('branding.leave.text'),
        buttons: [{ label: t('branding.leave.stay') }, { label: t('branding.leave.go') }],
        danger: true,
      })
      return answer === null
    },
  })
}
