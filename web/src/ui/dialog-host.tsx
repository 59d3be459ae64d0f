import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { type Asked, questions } from './ask.ts'

const loadDialog = () => import('./dialog.tsx')
const NONE: readonly Asked[] = []
const Dialog = lazy(() => loadDialog().then((module) => ({ default: module.Dialog })))

/**
 * Where `ask` shows its dialog; mounted once. Public pages rarely ask, so the dialog's code comes with the first
 * question; `soon` fetches it when the browser is idle.
 */
export function DialogHost({ soon = false }: { soon?: boolean }) {
  const [asked, ...onTop] = useSyncExternalStore(questions.subscribe, questions.open, () => NONE)
  useEffect(() => {
    if (!soon) return
    // What did not come now comes with the first question.
    const timer = setTimeout(() => loadDialog().catch(() => {}), 1500)
    return () => clearTimeout(timer)
  }, [soon])
  return <Suspense fallback={null}>{asked && <Dialog key={asked.key} asked={asked} onTop={onTop} />}</Suspense>
}
