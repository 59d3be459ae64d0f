import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { currentUser } from '../../lib/session.ts'
import { CallFailed } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { toast } from '../../ui/toast.ts'
import { INFOS, isInfoName } from './infos.ts'
import { QUESTIONS } from './questions.ts'
import { useSave } from './use-save.ts'

/**
 * Asks for the entry that the address names, also when somebody comes with that address from outside. However the
 * dialog closes, the address is that of the page again; the back button closes it, as another address does
 * (`shell/frame.tsx`).
 */
export function useInfoDialog(info: string | undefined) {
  const i18n = useI18n()
  const wires = useWires()
  const save = useSave()
  const close = useCloseInfo(info)
  const open = useRef<string>(undefined)

  async function askFor(name: string) {
    const user = currentUser(wires)
    if (!user || !isInfoName(name)) return close()
    const { t } = i18n
    try {
      const { message, fields, changes } = await QUESTIONS[name]({ user, i18n, wires })
      if (open.current !== name) return
      await ask({
        title: t(INFOS[name].label),
        message,
        fields,
        buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
        send: (values) => save(changes(values)),
      })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast(t(error.http === 0 ? 'ui.no_answer' : `problems.${error.problem.code}`))
    }
    close()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: one question per address, whatever else changes
  useEffect(() => {
    if (open.current === info) return
    open.current = info
    if (info && info !== PICTURE) void askFor(info)
  }, [info])
}

/** The entry that has a sheet of its own. */
export const PICTURE = 'picture'

/** Leaves the address of an entry, if it is still there: by the way it was reached, else in its place. */
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
