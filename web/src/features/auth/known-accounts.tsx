import { auth } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/auth'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { AccountCard, accountName } from '../../ui/account-card.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'

type Props = {
  accounts: readonly KnownAccount[]
  onChoose: (account: KnownAccount) => void
  /** Somebody else, or nobody is left to choose. */
  onOther: () => void
}

/** What the card shows of an account: no more than the login screen is told. */
export function cardOf({ username_or_email, ...rest }: KnownAccount) {
  return { ...rest, username: username_or_email, email: username_or_email }
}

/** The accounts that this browser knows, before the password (api.md §3, `allow_details_on_login`). */
export function KnownAccounts({ accounts, onChoose, onOther }: Props) {
  const { t } = useI18n()
  const { api } = useWires()
  const [forgotten, setForgotten] = useState<readonly string[]>([])
  const left = accounts.filter(({ id }) => !forgotten.includes(id))

  function forget({ id }: KnownAccount) {
    setForgotten([...forgotten, id])
    void api(auth.forgetKnownAccount, { id })
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
              <AccountCard account={cardOf(account)} />
            </button>
            <IconButton
              label={t('auth.accounts.forget', { name: accountName(cardOf(account)) })}
              onClick={() => forget(account)}
            >
              <CloseIcon size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button wide onClick={onOther}>
        {t('auth.accounts.other')}
      </Button>
    </>
  )
}
