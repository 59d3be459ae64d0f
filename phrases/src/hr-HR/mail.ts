import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: 'Pozdrav, {name},',
  'link.hint': 'Ako gumb ne radi, otvorite ovu adresu u pregledniku:',
  footer: 'Poruku šalje Vrata na adresi {host}, jer ondje postoji račun s ovom e-adresom.',

  'confirm_email.subject': 'Potvrdite svoju e-adresu',
  'confirm_email.text': 'potvrdite da je ova e-adresa vaša. Poveznica vrijedi 24 sata.',
  'confirm_email.action': 'Potvrdi e-adresu',
  'confirm_email.note': 'Ako to niste bili vi, zanemarite ovu poruku. Bez potvrde se ništa ne događa.',

  'reset_password.subject': 'Odaberite novu lozinku',
  'reset_password.text': 'zatražili ste novu lozinku. Poveznica vrijedi jednom i 30 minuta.',
  'reset_password.action': 'Odaberi lozinku',
  'reset_password.note': 'Ako to niste bili vi, zanemarite ovu poruku. Vaša lozinka ostaje ista.',

  'password_changed.subject': 'Vaša je lozinka promijenjena',
  'password_changed.text': 'lozinka vašeg računa Vrata promijenjena je ({when}). Drugi su uređaji odjavljeni.',
  'password_changed.action': 'Ova mi promjena nije poznata',
  'password_changed.note': 'Ako ste to bili vi, ne trebate učiniti ništa.',

  'email_changed.subject': 'E-adresa vašeg računa je promijenjena',
  'email_changed.text': 'vaš račun Vrata sada koristi e-adresu {new_email}. Poruke više ne stižu ovamo.',
  'email_changed.action': 'Ova mi promjena nije poznata',
  'email_changed.note': 'Ako ste to bili vi, ne trebate učiniti ništa.',
}
