import { useLocation } from '@tanstack/react-router'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { EmailAddress } from '../../../ui/content/email-address.tsx'
import { accountName } from '../../../ui/identity/account-card.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'
import { useSwitchAccount } from './use-switch-account.ts'

/** The account that answers the request. `back` is the request; by default it is this page. */
export function ConsentAccount({ back }: { back: string | undefined }) {
  const { t } = useI18n()
  const user = useUser()
  const name = accountName(user)
  const href = useLocation({ select: (location) => location.href })
  const switchAccount = useSwitchAccount()
  return (
    <section
      aria-label={t('connections.signed_in_as')}
      className="mt-4 flex flex-wrap items-center gap-x-3 rounded-control border border-line px-2.5 py-1.5"
    >
      <Picture kind="user" url={user.profile_picture} name={name} size={40} />
      <div className="flex min-w-0 grow basis-36 flex-wrap items-center justify-between gap-x-3">
        <p className="min-w-0 py-1">
          <span dir="auto" className="block text-left font-semibold">
            {name}
          </span>
          <span className="block text-small text-muted">
            {user.username || <EmailAddress>{user.email}</EmailAddress>}
          </span>
        </p>
        <button
          type="button"
          onClick={() => void switchAccount(back ?? href)}
          className="-ml-2 min-h-11 rounded-row px-2 text-left text-small font-semibold text-brand hover:text-brand-strong hover:underline"
        >
          {t('connections.change_account')}
        </button>
      </div>
    </section>
  )
}
