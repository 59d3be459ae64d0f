import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Link, type LinkProps } from './link.tsx'

/** Pixels between the button and the menu, and at least between the menu and the edges of the window. */
const GAP = 8
const MARGIN = 12

export type LinkMenuProps = {
  label: string
  /** The button that opens the menu. */
  anchor: RefObject<HTMLButtonElement | null>
  /** Opened by a key: the first entry gets the focus. */
  byKey: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A menu of links below its button (ARIA Authoring Practices, menu button): arrow keys, Home, End and letters move the
 * focus. Escape, Tab, a choice, and a press elsewhere close it.
 */
export function LinkMenu({ label, anchor, byKey, onClose, children }: LinkMenuProps) {
  const menu = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    place(menu.current, anchor.current)
    const target = byKey ? entriesOf(menu.current)[0] : menu.current
    target?.focus({ preventScroll: true })
  }, [anchor, byKey])

  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target) && !anchor.current?.contains(target)) onClose()
    }
    const moved = () => {
      if (!place(menu.current, anchor.current)) onClose()
    }
    const listeners = [
      ['pointerdown', outside],
      ['focusin', outside],
      ['scroll', moved],
      ['resize', moved],
    ] as const
    for (const [type, listener] of listeners) addEventListener(type, listener, true)
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener, true)
    }
  }, [anchor, onClose])

  function close() {
    anchor.current?.focus({ preventScroll: true })
    onClose()
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { key, ctrlKey, metaKey, altKey } = event
    // Focus continues from the button.
    if (key === 'Tab') return close()
    const entries = entriesOf(event.currentTarget)
    const current = entries.indexOf(document.activeElement as HTMLElement)
    let next: HTMLElement | undefined
    if (key === 'Escape') close()
    else if (key === 'ArrowDown') next = entries[current + 1] ?? entries[0]
    else if (key === 'ArrowUp') next = entries[current - 1] ?? entries.at(-1)
    else if (key === 'Home') next = entries[0]
    else if (key === 'End') next = entries.at(-1)
    else if (key === ' ') entries[current]?.click()
    else if (key.length === 1 && !ctrlKey && !metaKey && !altKey) {
      const from = current + 1
      const others = [...entries.slice(from), ...entries.slice(0, from)]
      next = others.find((entry) => startsWith(entry, key))
    } else return
    event.preventDefault()
    next?.focus()
  }

  return createPortal(
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={({ target }) => entryOf(target) && close()}
      // One entry is marked, whether by a key or by the mouse.
      onPointerOver={({ target }) => entryOf(target)?.focus({ preventScroll: true })}
      className="fixed z-30 w-80 origin-top max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border border-line bg-surface p-2 text-ink shadow-popup outline-none transition-[opacity,translate,scale] duration-120 starting:[scale:0.98] starting:opacity-0"
    >
      {children}
    </div>,
    document.body,
  )
}

/** An entry of a {@link LinkMenu}. */
export function MenuLink(props: LinkProps) {
  return (
    <Link
      {...props}
      role="menuitem"
      tabIndex={-1}
      className="block rounded-control -outline-offset-3 focus:bg-sunken"
    />
  )
}

export function MenuSeparator() {
  return <hr className="mx-2 my-2 h-px border-0 bg-line" />
}

const entriesOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
const entryOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[role=menuitem]') : null

/** Below the button, with the same left edge where there is room, or else the same right edge. False when the button is not in the window. */
function place(menu: HTMLElement | null, anchor: HTMLElement | null): boolean {
  const button = anchor?.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  if (!menu || !button?.width || button.bottom < 0 || button.bottom > clientHeight) return false
  const most = clientWidth - menu.offsetWidth - MARGIN
  const left = button.left <= most ? button.left : Math.min(button.right - menu.offsetWidth, most)
  menu.style.left = `${Math.max(MARGIN, left)}px`
  menu.style.top = `${button.bottom + GAP}px`
  menu.style.maxHeight = `${clientHeight - button.bottom - GAP - MARGIN}px`
  return true
}

/** Compares letters without their marks: "c" finds "Č". */
function startsWith(entry: HTMLElement, letter: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain(entry.innerText.trim()).startsWith(plain(letter))
}
