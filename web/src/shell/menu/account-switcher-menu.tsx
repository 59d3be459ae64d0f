import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import type { RefObject } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { mayCreateOrganization } from '../../lib/organizations/may-create-organization.ts'
import { membershipText } from '../../lib/organizations/membership-text.ts'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { BookIcon, ExternalIcon, InfoIcon, PlusIcon, SignOutIcon } from '../../ui/icons/signed-in-icons.tsx'
import { AccountCard, DeveloperCard } from '../../ui/identity/account-card.tsx'
import { LinkMenu, MenuLink, MenuSeparator } from '../../ui/navigation/link-menu.tsx'

export type SwitcherMenuProps = {
  user: UserInfo
  /** Current developer account; undefined for the personal account. */
  developer: string | undefined
  anchor: RefObject<HTMLButtonElement | null>
  byKey: boolean
  onClose: () => void
}

/** Personal account, developer accounts with levels, and sign-out (design §4.4). */
export function SwitcherMenu({ user, developer, ...menu }: SwitcherMenuProps) {
  const i18n = useI18n()
  const { t } = i18n
  const founds = mayCreateOrganization(useAppContext(), user)
  return (
    <LinkMenu {...menu} label={t('menu.accounts')}>
      <MenuLink href={paths.home}>
        <AccountCard account={user} active={!developer} bare />
      </MenuLink>
      {user.developer_accounts.map((account) => (
        <MenuLink key={account.developer_id} href={paths.applications(account.developer_id)}>
          <DeveloperCard
            developer={account}
            level={membershipText(i18n, account)}
            active={account.developer_id === developer}
            bare
          />
        </MenuLink>
      ))}
      <MenuSeparator />
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
      <MenuSeparator />
      <IconEntry icon={SignOutIcon} href={paths.logout}>
        {t('ui.sign_out')}
      </IconEntry>
    </LinkMenu>
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
    <MenuLink href={href} target={newTab ? '_blank' : undefined}>
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
    </MenuLink>
  )
}
