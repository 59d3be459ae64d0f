import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect, useRef } from 'react'
import { CallError } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { currentUser } from '../../lib/session.ts'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { INFO_DIALOGS } from './info-dialogs.ts'
import { INFO_ENTRIES, isInfoName } from './info-entries.ts'
import { useSaveInfo } from './use-save-info.ts'

/**
 * Opens the dialog of the entry in the address, also for a direct visit. When the dialog closes, the address returns to
 * the page; navigation closes the dialog (`shell/frame.tsx`).
 */
export function useInfoDialog(info: string | undefined) {
  const i18n = useI18n()
  const context = useAppContext()
  const save = useSaveInfo()
  const close = useCloseInfo(info)
  const open = useRef<string>(undefined)

  async function askFor(name: string) {
    const user = currentUser(context)
    if (!user || !isInfoName(name)) return close()
    const { t, find } = i18n
    const showDialog = dialogAfterWait()
    try {
      const { message, fields, changes } = await INFO_DIALOGS[name]({ user, i18n, context })
      if (open.current !== name) return
      await showDialog({
        title: t(INFO_ENTRIES[name].label),
        message,
        fields,
        buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
        onSubmit: (values) => save(changes(values)),
      })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast(error.http === 0 ? t('ui.no_answer') : (find(`problems.${error.problem.code}`) ?? t('problems.internal')))
    }
    close()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: one dialog per address
  useEffect(() => {
    if (open.current === info) return
    open.current = info
    if (info && info !== PICTURE) void askFor(info)
  }, [info])
}

/** Entry that has its own sheet. */
export const PICTURE = 'picture'

/** Leaves the address of an entry: back when it was opened from the page, otherwise by replacing it. */
export function useCloseInfo(info: string | undefined): () => void {
  const router = useRouter()
  const fromPage = useRef(false)
  useEffect(() => {
    if (!info) fromPage.current = true
  }, [info])

  return () => {
    if (!info || router.history.location.pathname !== paths.info(info)) return
    if (fromPage.current) router.history.back()
    else void router.navigate({ href: paths.yourInfo, replace: true })
  }
}
