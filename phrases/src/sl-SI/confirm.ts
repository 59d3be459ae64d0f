import type { confirm as english } from '../en-US/confirm.ts'

export const confirm: Record<keyof typeof english, string> = {
  'verify.title': 'Preverite e-pošto',
  'verify.text': 'Na naslov {email} smo poslali povezavo. Odprite jo in potrdite, da je naslov vaš.',
  'verify.hint': 'Sporočila ni? Poglejte med neželeno pošto ali ga pošljite znova.',
  'verify.done': 'Naslov je potrjen',
  'verify.resend': 'Pošlji znova',
  'verify.resend_in':
    'Pošlji znova čez {seconds, plural, one {# sekundo} two {# sekundi} few {# sekunde} other {# sekund}}',
  'verify.resent': 'Sporočilo je bilo poslano znova.',
  'verify.other': 'Uporabi drug naslov',
  'verify.later': 'Pozneje, na domačo stran',
  'verify.not_yet': 'Naslov še ni potrjen. Najprej odprite povezavo v sporočilu.',
  'verify.confirmed': 'Vaš e-naslov je potrjen.',
  'other.title': 'Drug e-naslov',
  'other.text': 'Potrditveno sporočilo bomo poslali na novi naslov.',
  'other.do': 'Pošlji sporočilo',
  'other.sent': 'Sporočilo je bilo poslano na {email}.',
  'confirm.title': 'Potrditev e-naslova',
  'confirm.text': 'En pritisk in vemo, da je ta naslov vaš.',
  'confirm.do': 'Potrdi e-naslov',
  'confirm.done': 'E-naslov je potrjen',
  'confirm.done_text': 'Naslov {email} je potrjen.',
  'confirm.continue': 'Nadaljuj',
  'confirm.bad_text': 'Povezave veljajo en dan in delujejo enkrat. Morda je naslov že potrjen.',
  'confirm.resend': 'Pošlji sporočilo znova',
  'confirm.sign_in': 'Prijavite se za novo povezavo',
}
