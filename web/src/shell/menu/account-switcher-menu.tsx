import { Menu } from '@base-ui/react/menu'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { type ReactNode, type RefObject, use, useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { mayFound } from '../../lib/may-found.ts'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { BookIcon, ExternalIcon, InfoIcon, PlusIcon, SignOutIcon } from '../../ui/icons/signed-in-icons.tsx'
import { AccountCard, DeveloperCard } from '../../ui/identity/account-card.tsx'
import { LinkElement } from '../../ui/navigation/link.tsx'

export type SwitcherMenuProps = {
  user: UserInfo
  /** Current developer account; undefined for the personal account. */
  developer: string | undefined
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** Personal account, developer accounts with levels, and sign-out (design §4.4). */
export function SwitcherMenu({ user, developer, anchor, onClose }: SwitcherMenuProps) {
  const { t } = useI18n()
  const [open, setOpen] = useState(true)
  const founds = mayFound(useAppContext(), user)
  return (
    <Menu.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClose()}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} sideOffset={8} align="end" collisionPadding={12} className="z-30">
          <Menu.Popup
            finalFocus={anchor}
            className="max-h-(--available-height) w-80 max-w-[calc(100vw-1.5rem)] origin-(--transform-origin) overflow-y-auto rounded-card border border-line bg-surface p-2 text-ink shadow-popup outline-none transition duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0"
          >
            <Entry href={paths.home}>
              <AccountCard account={user} active={!developer} bare />
            </Entry>
            {user.developer_accounts.map((account) => (
              <Entry key={account.developer_id} href={paths.applications(account.developer_id)}>
                <DeveloperCard
                  developer={account}
                  level={t(`menu.level.${account.permission}`)}
                  active={account.developer_id === developer}
                  bare
                />
              </Entry>
            ))}
            <Menu.Separator className="mx-2 my-2 h-px bg-line" />
            {founds && (
              <IconEntry icon={PlusIcon} href={paths.createDeveloper}>
                {t('menu.create_developer')}
              </IconEntry>
            )}
            <IconEntry icon={InfoIcon} href={paths.developers}>
              {t('menu.title.developers')}
            </IconEntry>
            <IconEntry icon={BookIcon} href={paths.docs} newTab={t('ui.opens_new_tab')}>
              {t('ui.title.docs')}
            </IconEntry>
            <Menu.Separator className="mx-2 my-2 h-px bg-line" />
            <IconEntry icon={SignOutIcon} href={paths.logout}>
              {t('ui.sign_out')}
            </IconEntry>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Entry({ href, newTab, children }: { href: string; newTab?: boolean; children: ReactNode }) {
  const Element = use(LinkElement)
  return (
    <Menu.LinkItem
      closeOnClick
      render={<Element href={href} target={newTab ? '_blank' : undefined} />}
      className="block rounded-control -outline-offset-3 outline-none data-highlighted:bg-sunken"
    >
      {children}
    </Menu.LinkItem>
  )
}

function IconEntry({
  icon: Sign,
  href,
  newTab,
  children,
}: {
  icon: Icon
  href: string
  newTab?: string
  children: string
}) {
  return (
    <Entry href={href} newTab={newTab !== undefined}>
      <span className="flex min-h-11 items-center gap-3 rounded-control px-3 py-2 font-medium">
        <Sign className="text-muted" />
        <span className="min-w-0 grow">{children}</span>
        {newTab && (
          <>
            <ExternalIcon size={18} className="text-muted" />
            <span className="sr-only">({newTab})</span>
          </>
        )}
      </span>
    </Entry>
  )
}
