import { Suspense, useState } from 'react'
import { lazyComponent } from '../lazy-component.ts'
import type { DialogFrameProps } from './dialog-frame.tsx'

const DialogFrame = lazyComponent(() => import('./dialog-frame.tsx'), 'DialogFrame')

/** A modal sheet: from below on phones, otherwise a card. Its code loads when it first opens. */
export function Sheet(props: DialogFrameProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <DialogFrame {...props} />}</Suspense>
}
