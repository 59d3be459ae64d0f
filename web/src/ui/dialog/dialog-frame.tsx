import { Dialog } from '@base-ui/react/dialog'
import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { EmailAddress } from '../content/email-address.tsx'
import { elementsAround, headingNear } from '../focus-near.ts'

export type DialogFrameProps = {
  title: string
  /** Hides the title visually. */
  hideTitle?: boolean
  message?: ReactNode
  open: boolean
  onClose: () => void
  firstFocus?: RefObject<HTMLElement | null>
  /** Element that receives the focus again; without it, or once it is removed, the element that has the focus when the dialog opens. */
  returnFocusTo?: Element | null
  /** The content is shown only once, so a press beside the dialog does not close it. */
  shownOnce?: boolean | undefined
  children: ReactNode
}

/** Where the focus was when a frame opened: the element, and those around it on the page. */
type Origin = { open: boolean; before: Element | null; around: Element[] }
/** Origins by popup, because a dialog that opens another one may close after it. */
const origins = new WeakMap<Element, Origin>()

/**
 * A modal card; on phones a bottom sheet. While one of its buttons waits for an answer it stays open and its other buttons do
 * nothing, because an error would be lost with it. Load it lazily: Base UI's dialog is about 18 KB.
 */
export function DialogFrame(props: DialogFrameProps) {
  const popup = useRef<HTMLDivElement>(null)
  const origin = useRef<Origin>({ open: false, before: null, around: [] }).current
  // Before Base UI moves the focus into the dialog.
  useLayoutEffect(() => {
    origin.open = props.open
    if (!props.open) return
    origin.before = document.activeElement
    origin.around = originOf(origin.before)?.around ?? elementsAround(origin.before)
  }, [props.open, origin])
  return (
    <Dialog.Root
      open={props.open}
      onOpenChange={(open) => !open && !isBusy(popup.current) && props.onClose()}
      disablePointerDismissal={props.shownOnce ?? false}
    >
      <Dialog.Portal>
        {/* Also between two dialogs, whose cards would look like one. */}
        <Dialog.Backdrop
          forceRender
          className="fixed inset-0 z-30 bg-backdrop transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Dialog.Viewport className="fixed inset-0 z-30 flex items-end justify-center pt-2 tall:pt-12 sm:items-center sm:p-6">
          <Dialog.Popup
            ref={(element) => {
              popup.current = element
              if (element) origins.set(element, origin)
            }}
            onClickCapture={(event) => isBusy(popup.current) && ignorePress(event)}
            initialFocus={props.firstFocus ?? (() => withoutScrolling(popup.current))}
            finalFocus={() =>
              hasFocus(popup.current) && focusAfter([props.returnFocusTo, origin.before], origin.around)
            }
            className="max-h-full w-full overflow-y-auto overscroll-contain tall:scroll-pb-32 rounded-t-panel border border-b-0 border-line bg-surface px-6 pt-7 pb-[max(1.5rem,env(safe-area-inset-bottom))] text-ink shadow-dialog outline-none transition-[opacity,translate,scale] duration-200 ease-standard data-ending-style:[translate:0_4rem] data-ending-style:opacity-0 data-starting-style:[translate:0_4rem] data-starting-style:opacity-0 sm:max-w-120 sm:rounded-panel sm:border-b sm:px-8 sm:pb-7 sm:data-ending-style:[translate:none] sm:data-ending-style:[scale:0.98] sm:data-starting-style:[translate:none] sm:data-starting-style:[scale:0.98]"
          >
            <Dialog.Title className={props.hideTitle ? 'sr-only' : 'text-head'}>
              <EmailAddress>{props.title}</EmailAddress>
            </Dialog.Title>
            {props.message && (
              <Dialog.Description className="mt-1.5 text-lead text-muted" render={<div />}>
                {props.message}
              </Dialog.Description>
            )}
            {props.children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** One of its buttons waits for an answer (`Button`). */
function isBusy(popup: HTMLElement | null): boolean {
  return Boolean(popup?.querySelector('button[aria-busy=true]'))
}

/** React also reports clicks in a dialog that was opened by this one, which is beside it in the document. */
function ignorePress(event: MouseEvent<HTMLElement>) {
  const pressed = event.target instanceof Element && event.target.closest('button, a')
  if (!pressed || !event.currentTarget.contains(pressed)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Focuses the dialog itself when the first control would have to be scrolled into view. */
function withoutScrolling(popup: HTMLElement | null): HTMLElement | true {
  const first = popup?.querySelector('a[href], button, input, select, textarea')
  if (!popup || !first) return true
  return first.getBoundingClientRect().bottom > popup.getBoundingClientRect().bottom ? popup : true
}

/** The focus has not moved to a next dialog or page. */
function hasFocus(popup: HTMLElement | null): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || Boolean(popup?.contains(activeElement))
}

/**
 * The element that had the focus before. The nearest heading when that is removed, as after a row was removed, and the heading of the
 * page when nothing had it, as on a page whose address has opened the dialog.
 */
function focusAfter(before: (Element | null | undefined)[], around: Element[]): HTMLElement | null {
  for (const element of before.map(outsideClosed))
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) return element
  return headingNear(around)
}

/** The element; where it is in a dialog that has closed meanwhile, what had the focus before that opened. */
function outsideClosed(element: Element | null | undefined): Element | null | undefined {
  const origin = originOf(element)
  return origin && !origin.open ? outsideClosed(origin.before) : element
}

/** Origin of the dialog around an element. */
function originOf(element: Element | null | undefined): Origin | undefined {
  const popup = element?.closest('[role=dialog]')
  return popup ? origins.get(popup) : undefined
}
