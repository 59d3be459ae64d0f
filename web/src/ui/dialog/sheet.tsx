import { lazy, Suspense, useState } from 'react'
import type { DialogFrameProps } from './dialog-frame.tsx'

const DialogFrame = lazy(() => import('./dialog-frame.tsx').then((module) => ({ default: module.DialogFrame })))

/** A modal sheet: from below on phones, otherwise a card. Its code loads when it first opens. */
export function Sheet(props: DialogFrameProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <DialogFrame {...props} />}</Suspense>
}
