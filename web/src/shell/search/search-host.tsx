import { type ComponentType, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { type AppContext, useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useSoon } from '../../ui/use-soon.ts'
import { searchState } from './search-state.ts'

export const loadSearch = () => import('./search-dialog.tsx')

/** The search of everything (design §7.31), opened by Ctrl+K or a button. Its code and phrases load when the page has
 * settled, or when it first opens. */
export function SearchHost() {
  const context = useAppContext()
  const { t } = useI18n()
  const open = useSyncExternalStore(searchState.subscribe, searchState.isOpen, () => false)
  const [Dialog, setDialog] = useState<ComponentType>()
  useShortcut()
  // Mounted closed, so that opening it draws only what it shows.
  useSoon(
    useCallback(async () => {
      const dialog = await load(context)
      setDialog(() => dialog)
    }, [context]),
  )

  useEffect(() => {
    if (!open || Dialog) return
    load(context).then(
      (dialog) => setDialog(() => dialog),
      () => {
        searchState.close()
        toast(t('ui.no_answer'))
      },
    )
  }, [open, Dialog, context, t])
  useEffect(() => searchState.mount(), [])
  return Dialog ? <Dialog /> : null
}

async function load({ i18n }: AppContext): Promise<ComponentType> {
  const [{ SearchDialog }] = await Promise.all([loadSearch(), i18n.load(['search', 'account', 'security', 'privacy'])])
  return SearchDialog
}

/** Ctrl+K, on a Mac also Command+K, opens and closes the search. */
function useShortcut() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // Not above another dialog.
      if (!searchState.isOpen() && document.querySelector('[role=dialog]:not([data-closed])')) return
      event.preventDefault()
      if (searchState.isOpen()) searchState.close()
      else searchState.open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
