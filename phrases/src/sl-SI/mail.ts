import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {
  greeting: 'Pozdravljeni, {name},',
  'link.hint': 'Če gumb ne deluje, odprite ta naslov v brskalniku:',
  footer: 'Sporočilo pošilja Vrata na naslovu {host}, ker tam obstaja račun s tem e-naslovom.',

  'confirm_email.subject': 'Potrdite svoj e-naslov',
  'confirm_email.text': 'potrdite, da je ta e-naslov vaš. Povezava deluje 24 ur.',
  'confirm_email.action': 'Potrdi e-naslov',
  'confirm_email.note': 'Če to niste bili vi, sporočilo prezrite. Brez potrditve se ne zgodi nič.',

  'reset_password.subject': 'Izberite novo geslo',
  'reset_password.text': 'zaprosili ste za novo geslo. Povezava deluje enkrat in 30 minut.',
  'reset_password.action': 'Izberi geslo',
  'reset_password.note': 'Če to niste bili vi, sporočilo prezrite. Vaše geslo ostane, kakršno je.',

  'password_changed.subject': 'Vaše geslo je bilo spremenjeno',
  'password_changed.text': 'geslo vašega računa Vrata je bilo spremenjeno ({when}). Druge naprave so odjavljene.',
  'password_changed.action': 'Te spremembe ne poznam',
  'password_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',

  'email_changed.subject': 'E-naslov vašega računa je bil spremenjen',
  'email_changed.text': 'vaš račun Vrata zdaj uporablja e-naslov {new_email}. Sporočila ne prihajajo več sem.',
  'email_changed.action': 'Te spremembe ne poznam',
  'email_changed.note': 'Če ste to bili vi, vam ni treba storiti ničesar.',
}
