import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { CheckIcon } from './icons.tsx'
import { Picture } from './picture.tsx'

/** The person as the API names them (specification §2, "Account and developer cards"). */
export type Account = {
  first_name: string
  last_name: string
  username: string | null
  email: string
  profile_picture: string | null
}

/** First and last name, or the user name or address of somebody who gave none. */
export function accountName(account: Account): string {
  return [account.first_name, account.last_name].filter(Boolean).join(' ') || account.username || account.email
}

export type AccountCardProps = {
  account: Account
  /** Brand border, soft ground and a check mark: not colour alone. */
  active?: boolean
  /** Takes the check mark's place: a chevron, a button. */
  end?: ReactNode
  /** Without border and ground, for menus that draw their own. */
  bare?: boolean
}

/** Who it is: picture, name, user name or e-mail. Wrap it in a button or link to make it one. */
export function AccountCard({ account, active, end, bare }: AccountCardProps) {
  const name = accountName(account)
  return (
    <IdentityCard
      picture={<Picture kind="user" url={account.profile_picture} name={name} />}
      name={name}
      line={account.username || account.email}
      active={active}
      end={end}
      bare={bare}
    />
  )
}

export type DeveloperCardProps = Omit<AccountCardProps, 'account'> & {
  developer: { name: string; logo: string | null }
  /** The person's level, in words. */
  level?: string
}

/** An organisation: its arch, name and the person's level in it. */
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

type IdentityCardProps = Omit<AccountCardProps, 'account'> & { picture: ReactNode; name: string; line?: string }

function IdentityCard({ picture, name, line, active, end, bare }: IdentityCardProps) {
  return (
    <span
      className={classes(
        'flex min-h-15.5 w-full items-center gap-3 rounded-control border px-2.5 py-2 text-left',
        active ? 'border-brand bg-brand-soft' : bare ? 'border-transparent' : 'border-line bg-surface',
      )}
    >
      {picture}
      <span className="min-w-0 grow">
        <span className="block truncate font-semibold">{name}</span>
        {line && <span className="block truncate text-small text-muted">{line}</span>}
      </span>
      {end ?? (active && <CheckIcon className="mr-1 text-brand" />)}
    </span>
  )
}
