import { Suspense, useCallback, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { classes } from '../../ui/classes.ts'
import { ChevronDownIcon } from '../../ui/icons/icons.tsx'
import { AccountCard, accountName, DeveloperCard } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { lazyComponent } from '../../ui/lazy-component.ts'
import { useSoon } from '../../ui/use-soon.ts'

/** The personal account or a developer account. */
export type ShellMode = 'user' | 'developer'

const SwitcherMenu = lazyComponent(() => import('./account-switcher-menu.tsx'), 'SwitcherMenu')

/**
 * Current account and the menu that switches it (product §2.5). The menu's code loads when the page has settled, or on
 * hover or focus.
 */
export function Switcher({ mode, look }: { mode: ShellMode; look: 'card' | 'picture' }) {
  const { t } = useI18n()
  const user = useUser()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<false | 'key' | 'pointer'>(false)
  const close = useCallback(() => setOpen(false), [])
  const developer =
    mode === 'developer' ? user.developer_accounts.find((one) => one.developer_id === user.developer_id) : undefined
  const level = developer && t(`menu.level.${developer.permission}`)
  useSoon(SwitcherMenu.preload)
  const chevron = <ChevronDownIcon size={18} className="mr-1 text-muted" />

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open !== false}
        onPointerEnter={() => void SwitcherMenu.preload()}
        onFocus={() => void SwitcherMenu.preload()}
        onClick={({ detail }) => setOpen(!open && (detail === 0 ? 'key' : 'pointer'))}
        className={classes('shrink-0 text-left', look === 'card' ? 'w-full rounded-control' : 'rounded-full p-0.5')}
      >
        <span className="sr-only">{t('menu.accounts')}: </span>
        {look === 'card' ? (
          developer ? (
            <DeveloperCard developer={developer} level={level} end={chevron} />
          ) : (
            <AccountCard account={user} end={chevron} />
          )
        ) : (
          <>
            <span className="sr-only">
              {developer ? `${developer.name}, ${level}` : `${accountName(user)}, ${user.username || user.email}`}
            </span>
            {developer ? (
              <Picture kind="developer" url={developer.logo} name={developer.name} />
            ) : (
              <Picture kind="user" url={user.profile_picture} name={accountName(user)} />
            )}
          </>
        )}
      </button>
      {open && (
        <Suspense fallback={null}>
          <SwitcherMenu
            user={user}
            developer={developer?.developer_id}
            anchor={button}
            byKey={open === 'key'}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}
