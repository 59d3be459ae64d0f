import { signIn } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/sign-in'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons/icons.tsx'
import { AccountCard, accountName } from '../../ui/identity/account-card.tsx'
import { focusBesideRow } from '../../ui/layout/row.tsx'
import { Notice } from './notice.tsx'

type Props = {
  accounts: readonly KnownAccount[]
  onChoose: (account: KnownAccount) => void
  setAccounts: (accounts: readonly KnownAccount[]) => void
  /** Another account is wanted, or no account is left. */
  onOther: () => void
}

/** Account for the card, limited to what the sign-in page receives. */
export function toCardAccount({ username_or_email, ...rest }: KnownAccount) {
  return { ...rest, username: username_or_email.includes('@') ? null : username_or_email, email: username_or_email }
}

/** Accounts known to this browser (api §2.2). */
export function KnownAccounts({ accounts, setAccounts, onChoose, onOther }: Props) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { errorMessage } = useFormErrors()
  const [forgetting, setForgetting] = useState<string>()
  const [failed, setFailed] = useState<string>()

  async function forget(account: KnownAccount, button: HTMLElement) {
    if (forgetting) return
    setForgetting(account.id)
    setFailed(undefined)
    const answer = await api(signIn.removeKnownAccount, { id: account.id })
    setForgetting(undefined)
    if (!answer.ok && answer.problem.code !== 'not_found') return setFailed(errorMessage(answer))
    const left = accounts.filter(({ id }) => id !== account.id)
    focusBesideRow(button)
    setAccounts(left)
    if (left.length === 0) onOther()
  }

  return (
    <>
      {failed && <Notice>{failed}</Notice>}
      <ul className="mb-4 flex flex-col gap-3">
        {accounts.map((account) => (
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
              aria-busy={forgetting === account.id || undefined}
              onClick={({ currentTarget }) => void forget(account, currentTarget)}
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
