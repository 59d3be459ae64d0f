// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { AccountCard } from '../../ui/identity/account-card.tsx'
import { toCardAccount } from './known-accounts.tsx'

afterEach(cleanup)

const ANA = { id: '1', first_name: 'Ana', last_name: 'Kovač', profile_picture: null }

test('the card of an account on the sign-in page breaks its address after the @, not within a word', () => {
  const { container } = render(
    <AccountCard account={toCardAccount({ ...ANA, username_or_email: 'ana@example.com' })} />,
  )
  expect(container.innerHTML).toContain('ana@<wbr>example.com')
})

test('it has the user name where the account has one', () => {
  const { container } = render(<AccountCard account={toCardAccount({ ...ANA, username_or_email: 'ana_k' })} />)
  expect(container.textContent).toContain('ana_k')
})
