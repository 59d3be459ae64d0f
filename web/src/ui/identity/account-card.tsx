import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { EmailAddress } from '../content/email-address.tsx'
import { CheckIcon } from '../icons/signed-in-icons.tsx'
import { Picture } from './picture.tsx'

/** The user as in the API (product §2.7). */
export type Account = {
  first_name: string
  last_name: string
  username: string | null
  email: string
  profile_picture: string | null
}

/** First and last name; otherwise username or address. */
export function accountName(account: Account): string {
  return [account.first_name, account.last_name].filter(Boolean).join(' ') || account.username || account.email
}

export type AccountCardProps = {
  account: Account
  /** Border, background and check mark, so that color is not the only sign. */
  active?: boolean
  /** Replaces the check mark: a chevron, a button. */
  end?: ReactNode
  /** Without border and background, for menus. */
  bare?: boolean
}

/** A user: picture, name, username or address. Wrap it in a button or link. */
export function AccountCard({ account, active, end, bare }: AccountCardProps) {
  const name = accountName(account)
  return (
    <IdentityCard
      picture={<Picture kind="user" url={account.profile_picture} name={name} />}
      name={name}
      line={account.username || <EmailAddress>{account.email}</EmailAddress>}
      active={active}
      end={end}
      bare={bare}
    />
  )
}

export type DeveloperCardProps = Omit<AccountCardProps, 'account'> & {
  developer: { name: string; logo: string | null }
  /** Localized level of the user. */
  level?: string
}

/** An organization: logo, name and the user's level. */
export function DeveloperCard({ developer, level, active, end, bare }: DeveloperCardProps) {
  return (
    <IdentityCard
      picture={<Picture kind="developer" url={developer.logo} name={developer.name} />}
      name={developer.name}
      line={level}
      active={active}
      end={end}
      bare={bare}
    />
  )
}

type IdentityCardProps = Omit<AccountCardProps, 'account'> & { picture: ReactNode; name: string; line?: ReactNode }

function IdentityCard({ picture, name, line, active, end, bare }: IdentityCardProps) {
  return (
    <span
      className={classes(
        'flex min-h-15.5 w-full flex-wrap items-center justify-end gap-3 rounded-control border px-2.5 py-2 text-left',
        active ? 'border-brand bg-brand-soft' : bare ? 'border-transparent' : 'border-line bg-surface',
      )}
    >
      {picture}
      {/* What is at the end goes below where it would leave too little for an address. */}
      <span className={classes('min-w-0 grow', end ? 'basis-32' : 'basis-16')}>
        <span dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
          {name}
        </span>
        {line && (
          <span dir="auto" className="line-clamp-2 text-left text-small wrap-anywhere text-muted">
            {line}
          </span>
        )}
      </span>
      {end ?? (active && <CheckIcon className="mr-1 text-brand" />)}
    </span>
  )
}
