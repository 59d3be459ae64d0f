import type { accountInvitations as english } from '../en-US/account-invitations.ts'

export const accountInvitations: Record<keyof typeof english, string> = {
  title: 'Postavljanje računa',
  for: 'Za adresu {email} otvoren je račun. Postavite kako ćete se prijavljivati.',
  text: 'Postavite kako ćete se prijavljivati.',
  do: 'Spremi lozinku i prijavi me',
  or: 'Ili bez lozinke:',
  passkey: 'Koristi pristupni ključ',
  invalid: 'Poveznica nije valjana',
  invalid_text:
    'Radi jednom, 7 dana. Ako ste račun već postavili, prijavite se. Inače zatražite novu poveznicu od onoga tko vas je pozvao.',
  maybe: 'Vaš je račun možda već postavljen',
  maybe_text:
    'Na jedan od pokušaja nije stigao odgovor, a poveznica više ne vrijedi. Pokušajte se prijaviti onime što ste postavili. Ako ne uspijete, zatražite novu poveznicu od onoga tko vas je pozvao.',
  login: 'Prijava',
  new_passkey: 'Postavite novi pristupni ključ',
  'new_passkey.for': 'Račun {email} više nema pristupni ključ. Postavite novi da biste se prijavili.',
  'new_passkey.text': 'Vaš račun više nema pristupni ključ. Postavite novi da biste se prijavili.',
  'new_passkey.do': 'Postavi ključ i prijavi me',
  'new_passkey.invalid':
    'Radi jednom, 24 sata. Ako ste pristupni ključ već postavili, prijavite se. Inače novu poveznicu zatražite od operatera ove usluge.',
  'new_passkey.maybe': 'Novi je pristupni ključ možda već postavljen',
  'new_passkey.maybe_text':
    'Na jedan od pokušaja nije stigao odgovor, a poveznica više ne vrijedi. Pokušajte se prijaviti novim pristupnim ključem. Ako ne uspijete, novu poveznicu zatražite od operatera ove usluge.',
  script: 'Pristupni ključevi trebaju JavaScript. Uključite ga ili otvorite poveznicu u drugom pregledniku.',
}
