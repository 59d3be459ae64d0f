import type { accountInvitations as english } from '../en-US/account-invitations.ts'

export const accountInvitations: Record<keyof typeof english, string> = {
  title: 'Postavljanje računa',
  for: 'Za adresu {email} otvoren je račun. Odaberite kako se želite prijavljivati.',
  text: 'Odaberite kako se želite prijavljivati.',
  do: 'Spremi lozinku i prijavi me',
  or: 'Ili bez lozinke:',
  passkey: 'Koristi pristupni ključ',
  invalid: 'Poveznica nije valjana',
  invalid_text:
    'Radi jednom, 7 dana. Ako ste račun već postavili, prijavite se. Inače zatražite novu poveznicu od onoga tko vas je pozvao.',
  login: 'Prijava',
}
