import { Suspense, useSyncExternalStore } from 'react'
import { lazyComponent } from '../lazy-component.ts'
import { useSoon } from '../use-soon.ts'
import { dialogs, type OpenDialog } from './show-dialog.ts'

const NONE: readonly OpenDialog[] = []
const Dialog = lazyComponent(() => import('./dialog.tsx'), 'Dialog')

/**
 * Renders the dialogs of `showDialog`; mounted once. The code loads with the first dialog, or when idle with `soon`.
 */
export function DialogHost({ soon = false }: { soon?: boolean }) {
  const [dialog, ...onTop] = useSyncExternalStore(dialogs.subscribe, dialogs.open, () => NONE)
  useSoon(soon ? Dialog.preload : undefined)
  return <Suspense fallback={null}>{dialog && <Dialog key={dialog.key} dialog={dialog} onTop={onTop} />}</Suspense>
}
