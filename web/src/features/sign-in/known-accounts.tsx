import { signIn } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/sign-in'
import { useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons/icons.tsx'
import { AccountCard, accountName } from '../../ui/identity/account-card.tsx'

type Props = {
  accounts: readonly KnownAccount[]
  onChoose: (account: KnownAccount) => void
  /** Another account is wanted, or no account is left. */
  onOther: () => void
}

/** Account for the card, limited to what the sign-in page receives. */
export function toCardAccount({ username_or_email, ...rest }: KnownAccount) {
  return { ...rest, username: username_or_email, email: username_or_email }
}

/** Accounts known to this browser (api §2.2). */
export function KnownAccounts({ accounts, onChoose, onOther }: Props) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const [removed, setRemoved] = useState<readonly string[]>([])
  const left = accounts.filter(({ id }) => !removed.includes(id))

  function remove({ id }: KnownAccount) {
    setRemoved([...removed, id])
    void api(signIn.removeKnownAccount, { id })
    if (left.length === 1) onOther()
  }

  return (
    <>
      <ul className="mb-4 flex flex-col gap-3">
        {left.map((account) => (
          <li key={account.id} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => onChoose(account)}
              className="min-w-0 grow rounded-control transition-colors duration-150 hover:bg-sunken"
            >
              <AccountCard account={toCardAccount(account)} />
            </button>
            <IconButton
              label={t('sign-in.accounts.forget', { name: accountName(toCardAccount(account)) })}
              onClick={() => remove(account)}
            >
              <CloseIcon size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button wide onClick={onOther}>
        {t('sign-in.accounts.other')}
      </Button>
    </>
  )
}
